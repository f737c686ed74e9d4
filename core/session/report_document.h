#pragma once

#include "session/report.h"

#include <string>
#include <variant>
#include <vector>

namespace fusescope {

// A report as headings, paragraphs and tables of plain text: the writers escape all of it, so that
// no name of a model becomes markup. Text between two back quotes is shown as code.
struct ReportHeading
{
    std::string text;
};

struct ReportParagraph
{
    std::string text;
};

struct ReportTable
{
    std::vector<std::string> head;
    std::vector<bool> numeric; // by column
    std::vector<std::vector<std::string>> rows;
};

using ReportBlock = std::variant<ReportHeading, ReportParagraph, ReportTable>;

struct ReportDocument
{
    std::string language, title, subtitle;
    std::vector<ReportBlock> blocks;
};

// The medians of the unfused and the fused plan, when both were timed.
std::optional<std::pair<double, double>> mediansOf(const ReportData& data);

ReportDocument reportDocument(const ReportData& data, const Translate& translate);
std::string htmlOf(const ReportDocument& document);
std::string markdownOf(const ReportDocument& document);
std::string reportJson(const ReportData& data);

} // namespace fusescope
