#include "core/ops/op_case.h"
#include "ops/images/images.h"
#include "support/test_class.h"

#include <zlib.h>

#include <random>

using namespace fusescope::images;
using namespace fusescope::test;

namespace {

// 19 by 18 pixels at quality 30, chroma at half size both ways.
constexpr char jpegText[] =
    "/9j/4AAQSkZJRgABAQEAZABkAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1"
    "tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk"
    "pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAASABMDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAw"
    "QFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK"
    "FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmq"
    "KjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB"
    "AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRob"
    "HBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE"
    "hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+P"
    "n6/9oADAMBAAIRAxEAPwDIhts9qtR2w7DNW4rf5QMdasxwdOKXPFRFQxBS+zj0FFaog4/+viioc0emsQMhA2jjsatR"
    "gZHHcUUVD2Xy/I+cw5YQDaOBRRRTh8KPSP/Z";

// 5 by 6 pixels without loss: red is 40 for each column, green 30 for each row, blue 128.
constexpr char webpText[] =
    "UklGRiwAAABXRUJQVlA4TCAAAAAvBEABALkyRPQ/dhHR/zAQZNuM5P6oR2gGZQAjsjACHw==";
constexpr char jpeg2000Text[] =
    "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAABgAAAAUAAwcHAAAAAAAPY29s"
    "cgEAAAAAABAAAACsanAyY/9P/1EALwAAAAAABQAAAAYAAAAAAAAAAAAAAAUAAAAGAAAAAAAAAAAAAwcBAQcBAQcBAf9S"
    "AAwAAAABAAIEBAAB/1wACkBASEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAA"
    "AAAALgAB/5PfgBgJQMffgCAGrouvgICgPhCACT+AgKD5wgAMu9s/gP/Z";

using Data = std::vector<std::uint8_t>;

Data dataOf(const QByteArray& bytes)
{
    return {bytes.begin(), bytes.end()};
}

void append(Data& data, std::uint32_t value, int size, bool big)
{
    for (int i = 0; i < size; ++i)
        data.push_back(static_cast<std::uint8_t>(value >> 8 * (big ? size - 1 - i : i)));
}

Data jpegFile()
{
    return dataOf(QByteArray::fromBase64(jpegText));
}

// 3 by 2 pixels from the bottom row up, rows of 12 bytes.
Data bmpFile()
{
    Data file = {'B', 'M'};
    for (const std::uint32_t number : {78U, 0U, 54U, 40U, 3U, 2U, 1U | 24U << 16, 0U, 24U, 0U, 0U, 0U, 0U})
        append(file, number, 4, false);
    for (int i = 0; i < 24; ++i)
        file.push_back(static_cast<std::uint8_t>(i));
    return file;
}

void chunk(Data& file, std::string_view kind, const Data& body)
{
    append(file, static_cast<std::uint32_t>(body.size()), 4, true);
    file.insert(file.end(), kind.begin(), kind.end());
    file.insert(file.end(), body.begin(), body.end());
    uLong sum = crc32(0, reinterpret_cast<const Bytef*>(kind.data()), static_cast<uInt>(kind.size()));
    if (!body.empty())
        sum = crc32(sum, body.data(), static_cast<uInt>(body.size()));
    append(file, static_cast<std::uint32_t>(sum), 4, true);
}

// `rows` are filtered rows; palette entry i is (i, 2 i, 3 i).
Data pngFile(std::uint32_t width, std::uint32_t height, int depth, int colour, bool interlaced,
             const Data& rows)
{
    Data file = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    Data header;
    append(header, width, 4, true);
    append(header, height, 4, true);
    for (const int value : {depth, colour, 0, 0, interlaced ? 1 : 0})
        header.push_back(static_cast<std::uint8_t>(value));
    chunk(file, "IHDR", header);
    Data palette;
    for (std::uint8_t i = 0; i < 4; ++i)
        palette.insert(palette.end(), {i, static_cast<std::uint8_t>(2 * i),
                                       static_cast<std::uint8_t>(3 * i)});
    chunk(file, "PLTE", palette);
    Data packed(compressBound(static_cast<uLong>(rows.size())));
    auto size = static_cast<uLongf>(packed.size());
    compress(packed.data(), &size, rows.data(), static_cast<uLong>(rows.size()));
    packed.resize(size);
    chunk(file, "IDAT", packed);
    chunk(file, "IEND", {});
    return file;
}

// Rows of red, green, blue with each of the filters in turn.
Data filteredPng()
{
    return pngFile(2, 5, 8, 2, false,
                   {0, 10, 20, 30, 40, 50, 60, 1, 1, 2, 3, 4, 5, 6, 2, 1, 1, 1, 1, 1, 1,
                    3, 5, 5, 5, 5, 5, 5, 4, 1, 1, 1, 2, 2, 2});
}

// 2 by 2 pixels in two strips.
Data tiffFile(bool big, std::uint32_t compression, const Data& first, const Data& second)
{
    Data file = big ? Data{'M', 'M', 0, 42} : Data{'I', 'I', 42, 0};
    append(file, 8, 4, big);
    const std::uint32_t tags[][3] = {{256, 2, 1}, {257, 2, 1}, {258, 8, 1}, {259, compression, 1},
                                     {262, 2, 1}, {277, 3, 1}, {278, 1, 1}};
    append(file, 9, 2, big);
    for (const auto& tag : tags) {
        append(file, tag[0], 2, big);
        append(file, 4, 2, big);
        append(file, tag[2], 4, big);
        append(file, tag[1], 4, big);
    }
    const std::uint32_t lists = 8 + 2 + 9 * 12 + 4;
    for (const std::uint32_t tag : {273U, 279U}) {
        append(file, tag, 2, big);
        append(file, 4, 2, big);
        append(file, 2, 4, big);
        append(file, tag == 273 ? lists : lists + 8, 4, big);
    }
    append(file, 0, 4, big);
    append(file, lists + 16, 4, big);
    append(file, lists + 16 + static_cast<std::uint32_t>(first.size()), 4, big);
    append(file, static_cast<std::uint32_t>(first.size()), 4, big);
    append(file, static_cast<std::uint32_t>(second.size()), 4, big);
    file.insert(file.end(), first.begin(), first.end());
    file.insert(file.end(), second.begin(), second.end());
    return file;
}

std::optional<Picture> decode(const Data& file)
{
    for (const auto reader : {decodePng, decodeJpeg, decodeWebp, decodeBmp, decodeTiff, decodeJpeg2000,
                              decodePnm}) {
        if (auto picture = reader(file, 10000))
            return picture;
    }
    return std::nullopt;
}

// "WxH: " and the samples.
std::string textOf(const std::optional<Picture>& picture)
{
    if (!picture)
        return "nothing";
    std::string text = std::to_string(picture->width) + "x" + std::to_string(picture->height) + ":";
    for (const std::uint8_t sample : picture->pixels)
        text += " " + std::to_string(sample);
    return text;
}

Data plain(std::string_view text)
{
    return {text.begin(), text.end()};
}

} // namespace

// The readers of picture files behind ImageDecoder.
class ImagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pictures_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const Data& file, const char* expected) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(file.data()),
                                              static_cast<qsizetype>(file.size()))
                                << QByteArray(expected);
        };
        row("bitmap as text", plain("P1 # black is 1\n2 2 0110"),
            "2x2: 255 255 255 0 0 0 0 0 0 255 255 255");
        row("grey as text", plain("P2 2 1 3 1 3"), "2x1: 85 85 85 255 255 255");
        row("colours as text", plain("P3 1 1 255 1 2 3"), "1x1: 1 2 3");
        row("bitmap", plain("P4 3 1\n\x40"), "3x1: 255 255 255 0 0 0 255 255 255");
        row("grey of 16 bits", plain(std::string_view("P5 1 1 65535\n\x80\x00", 15)),
            "1x1: 128 128 128");
        row("colours", plain("P6 1 1 255\nabc"), "1x1: 97 98 99");
        row("too short", plain("P6 2 1 255\nabc"), "nothing");
        row("huge", plain("P6 99999999 99999999 255\nabc"), "nothing");
        row("bmp", bmpFile(), "3x2: 14 13 12 17 16 15 20 19 18 2 1 0 5 4 3 8 7 6");
        row("png with filters", filteredPng(),
            "2x5: 10 20 30 40 50 60 1 2 3 5 7 9 2 3 4 6 8 10 6 6 7 11 12 13 7 7 8 13 14 15");
        row("png with a palette", pngFile(5, 1, 2, 3, false, {0, 0x1b, 0x40}),
            "5x1: 0 0 0 1 2 3 2 4 6 3 6 9 1 2 3");
        row("png in grey of 4 bits", pngFile(2, 1, 4, 0, false, {0, 0x1f}),
            "2x1: 17 17 17 255 255 255");
        row("interlaced png", pngFile(3, 3, 8, 0, true, {0, 1, 0, 3, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6}),
            "3x3: 1 1 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6 7 7 7 8 8 8 9 9 9");
        row("png whose data end early", pngFile(2, 5, 8, 2, false, {0, 10, 20, 30}), "nothing");
        row("tiff", tiffFile(false, 1, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}),
            "2x2: 1 2 3 4 5 6 7 8 9 10 11 12");
        row("tiff with runs", tiffFile(true, 32773, {0xfb, 7}, {5, 1, 2, 3, 4, 5, 6}),
            "2x2: 7 7 7 7 7 7 1 2 3 4 5 6");
        row("tiff with a strip too short", tiffFile(false, 1, {1, 2, 3, 4, 5, 6}, {7}), "nothing");
        row("nothing", {}, "nothing");
    }
    void pictures()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(textOf(decode(dataOf(file)))), expected);
    }

    // Every pixel is that of the widespread decoder, whose numbers the operator's rules describe.
    void jpeg()
    {
        const auto picture = decode(jpegFile());
        QVERIFY(picture.has_value());
        QCOMPARE(picture->width, 19);
        QCOMPARE(picture->height, 18);
        const std::uint8_t* middle = picture->pixels.data() + (8 * 19 + 9) * 3;
        QCOMPARE((std::vector<int>{middle[0], middle[1], middle[2]}), (std::vector<int>{118, 105, 148}));
        std::uint32_t sum = 0;
        for (const std::uint8_t sample : picture->pixels)
            sum = sum * 31 + sample;
        QCOMPARE(sum, 4273523708U);
    }

    void ramp_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("webp") << QByteArray(webpText);
        QTest::newRow("jpeg 2000") << QByteArray(jpeg2000Text);
    }
    void ramp()
    {
        QFETCH(QByteArray, text);
        std::string expected = "5x6:";
        for (int y = 0; y < 6; ++y) {
            for (int x = 0; x < 5; ++x)
                expected += " " + std::to_string(40 * x) + " " + std::to_string(30 * y) + " 128";
        }
        QCOMPARE(textOf(decode(dataOf(QByteArray::fromBase64(text)))), expected);
    }

    // Damaged files give a picture or nothing, and never more pixels than are allowed.
    void damaged()
    {
        std::mt19937 random(11);
        int refused = 0;
        for (const Data& whole :
             {jpegFile(), dataOf(QByteArray::fromBase64(webpText)),
              dataOf(QByteArray::fromBase64(jpeg2000Text)), bmpFile(), filteredPng(), pngFile(3, 3, 8, 0, true, Data(15)),
              tiffFile(true, 32773, {0xfb, 7}, {5, 1, 2, 3, 4, 5, 6}), plain("P6 1 1 255\nabc")}) {
            for (int round = 0; round < 400; ++round) {
                Data file = whole;
                for (std::uint32_t k = random() % 4; k-- > 0;)
                    file[random() % file.size()] = static_cast<std::uint8_t>(random());
                if (round % 3 == 0)
                    file.resize(random() % file.size());
                const auto picture = decode(file);
                refused += picture ? 0 : 1;
                QVERIFY(!picture || (picture->width * picture->height <= 10000 &&
                                     picture->pixels.size() == static_cast<std::size_t>(
                                         picture->width * picture->height * 3)));
            }
        }
        QVERIFY(refused > 400);
    }

    void operators()
    {
        const char* colours = "uint8[14] x = {80, 54, 32, 49, 32, 49, 32, 50, 53, 53, 10, 1, 2, 3}";
        QCOMPARE(run(colours, "y = ImageDecoder (x)"), std::string("uint8[1, 1, 3] {1, 2, 3}"));
        QCOMPARE(run(colours, "y = ImageDecoder <pixel_format = \"BGR\"> (x)"),
                 std::string("uint8[1, 1, 3] {3, 2, 1}"));
        QCOMPARE(run(colours, "y = ImageDecoder <pixel_format = \"Grayscale\"> (x)"),
                 std::string("uint8[1, 1, 1] {2}"));
        QCOMPARE(run(colours, "y = ImageDecoder <pixel_format = \"HSV\"> (x)"),
                 std::string("! Attribute `pixel_format` must be RGB, BGR, Grayscale, but it is HSV."));
        QCOMPARE(run("uint8[3] x = {1, 2, 3}", "y = ImageDecoder (x)"),
                 std::string("uint8[0, 0, 3] {}"));
    }
};

FUSESCOPE_TEST(ImagesTest, images_test)
#include "images_test.moc"
