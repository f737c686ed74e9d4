#include "ui/raw_text.h"

namespace fusescope {

namespace {

constexpr char16_t firstByte = 0xDC00;

// The length of the UTF-8 sequence that begins here; 0: there is none.
std::size_t sequenceAt(std::string_view bytes, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
    const unsigned lead = byte(0);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
    if (size == 0 || at + size > bytes.size())
        return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    }
    // Longer than it need be, a surrogate, or past the last character.
    const bool wrong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                       (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
    return wrong ? 0 : size;
}

} // namespace

QString textOfBytes(std::string_view bytes)
{
    QString text;
    std::size_t known = 0; // valid up to `at`
    for (std::size_t at = 0; at < bytes.size();) {
        if (const std::size_t size = sequenceAt(bytes, at); size > 0) {
            at += size;
            continue;
        }
        text += QString::fromUtf8(bytes.data() + known, static_cast<qsizetype>(at - known));
        text += QChar(static_cast<char16_t>(firstByte + static_cast<unsigned char>(bytes[at])));
        known = ++at;
    }
    return text +
           QString::fromUtf8(bytes.data() + known, static_cast<qsizetype>(bytes.size() - known));
}

std::string bytesOf(const QString& text)
{
    std::string bytes;
    qsizetype known = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        if (c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate()) {
            ++at;
            continue;
        }
        if (c.unicode() < firstByte + 0x80 || c.unicode() > firstByte + 0xFF)
            continue;
        bytes += text.mid(known, at - known).toStdString();
        bytes += static_cast<char>(c.unicode() - firstByte);
        known = at + 1;
    }
    return bytes + text.mid(known).toStdString();
}

QStringList argumentsOf(int argc, char** argv)
{
    QStringList list;
    for (int i = 1; i < argc; ++i)
        list << textOfBytes(argv[i]);
    return list;
}

} // namespace fusescope
