#include "session/report_document.h"

#include <algorithm>

namespace fusescope {

namespace {

struct Piece
{
    bool code = false;
    std::string text;
};

// Splits at pairs of back quotes; with an odd number of them nothing is code.
std::vector<Piece> piecesOf(const std::string& text)
{
    if (std::count(text.begin(), text.end(), '`') % 2 != 0)
        return {{false, text}};
    std::vector<Piece> pieces(1);
    for (const char c : text) {
        if (c == '`')
            pieces.push_back({!pieces.back().code, {}});
        else
            pieces.back().text += c;
    }
    return pieces;
}

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

std::string htmlText(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += isControl(c) ? ' ' : c;
        }
    }
    return result;
}

std::string htmlLine(const std::string& text)
{
    std::string result;
    for (const Piece& piece : piecesOf(text))
        result += piece.code ? "<code>" + htmlText(piece.text) + "</code>" : htmlText(piece.text);
    return result;
}

std::string markdownLine(const std::string& text)
{
    static constexpr std::string_view special = "\\`*_[]<>|#~&";
    std::string result;
    for (const Piece& piece : piecesOf(text)) {
        if (piece.code)
            result += '`';
        for (const char c : piece.text) {
            if (isControl(c)) {
                result += ' ';
                continue;
            }
            if (piece.code ? c == '|' : special.find(c) != std::string_view::npos)
                result += '\\';
            result += c;
        }
        if (piece.code)
            result += '`';
    }
    return result;
}

constexpr const char* styleSheet =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color:#1d2228;background:#fff}"
    "h1{font-size:1.7rem;margin:0}h2{font-size:1.2rem;margin:2rem 0 .5rem}"
    ".sub{color:#545d6b;margin:.2rem 0 1rem}"
    "table{border-collapse:collapse;width:100%}"
    "th,td{border-bottom:1px solid #d2d6dd;padding:.3rem .5rem;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}"
    "th{background:#f1f2f4}.n{text-align:right;font-variant-numeric:tabular-nums}"
    "code{font-family:ui-monospace,monospace;font-size:.92em}"
    "@media(prefers-color-scheme:dark){body{color:#e5e8ec;background:#1c1f24}"
    ".sub{color:#a6aeba}th{background:#25282e}th,td{border-color:#3a3f48}}";

struct HtmlWriter
{
    std::string& out;

    void operator()(const ReportHeading& heading) const
    {
        out += "<h2>" + htmlLine(heading.text) + "</h2>\n";
    }
    void operator()(const ReportParagraph& paragraph) const
    {
        out += "<p>" + htmlLine(paragraph.text) + "</p>\n";
    }
    void operator()(const ReportTable& table) const
    {
        out += "<table>\n<thead>";
        row(table, table.head, "th");
        out += "</thead>\n<tbody>\n";
        for (const auto& cells : table.rows) {
            row(table, cells, "td");
            out += '\n';
        }
        out += "</tbody>\n</table>\n";
    }

private:
    void row(const ReportTable& table, const std::vector<std::string>& cells,
             const std::string& tag) const
    {
        out += "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool numeric = i < table.numeric.size() && table.numeric[i];
            out += "<" + tag + (numeric ? " class=\"n\">" : ">") + htmlLine(cells[i]) + "</" + tag +
                   ">";
        }
        out += "</tr>";
    }
};

struct MarkdownWriter
{
    std::string& out;

    void operator()(const ReportHeading& heading) const
    {
        out += "\n## " + markdownLine(heading.text) + "\n";
    }
    void operator()(const ReportParagraph& paragraph) const
    {
        out += "\n" + markdownLine(paragraph.text) + "\n";
    }
    void operator()(const ReportTable& table) const
    {
        out += '\n';
        row(table.head);
        for (std::size_t i = 0; i < table.head.size(); ++i)
            out += i < table.numeric.size() && table.numeric[i] ? "|---:" : "|---";
        out += "|\n";
        for (const auto& cells : table.rows)
            row(cells);
    }

private:
    void row(const std::vector<std::string>& cells) const
    {
        for (const std::string& cell : cells)
            out += "| " + markdownLine(cell) + " ";
        out += "|\n";
    }
};

} // namespace

std::string htmlOf(const ReportDocument& document)
{
    std::string out = "<!DOCTYPE html>\n<html lang=\"" + htmlText(document.language) +
                      "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                      "content=\"width=device-width\">\n<title>" +
                      htmlText(document.title) + "</title>\n<style>" + styleSheet +
                      "</style>\n</head>\n<body>\n<h1>" + htmlLine(document.title) +
                      "</h1>\n<p class=\"sub\">" + htmlLine(document.subtitle) + "</p>\n";
    for (const ReportBlock& block : document.blocks)
        std::visit(HtmlWriter{out}, block);
    return out + "</body>\n</html>\n";
}

std::string markdownOf(const ReportDocument& document)
{
    std::string out = "# " + markdownLine(document.title) + "\n\n" +
                      markdownLine(document.subtitle) + "\n";
    for (const ReportBlock& block : document.blocks)
        std::visit(MarkdownWriter{out}, block);
    return out;
}

} // namespace fusescope
