#include "ops/images/images.h"

#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::images {

namespace {

template <class C>
Result<std::string> formatOf(const C& c)
{
    std::string format = c.attributes().getString("pixel_format", "RGB");
    if (format != "RGB" && format != "BGR" && format != "Grayscale")
        return c.wrong(wrongAttribute("pixel_format", "RGB, BGR, Grayscale", format));
    return format;
}

Result<void> inferImageDecoder(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 1, 1));
    FUSESCOPE_ASSIGN(const std::string format, formatOf(c));
    c.setTensor(0, DType::uint8,
                Shape::of({c.unknown(0, 0), c.unknown(0, 1), format == "Grayscale" ? 1 : 3}));
    return {};
}

std::optional<Picture> decode(Bytes file, std::int64_t mostPixels)
{
    for (const auto reader : {decodePng, decodeJpeg, decodeWebp, decodeBmp, decodeTiff, decodeJpeg2000,
                              decodePnm}) {
        if (auto picture = reader(file, mostPixels))
            return picture;
    }
    return std::nullopt;
}

Result<void> runImageDecoder(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* stream, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *stream, 0, 1, 1));
    FUSESCOPE_ASSIGN(const std::string format, formatOf(c));
    if (stream->dtype() != DType::uint8)
        return c.wrong(wrongType(0, "uint8", std::string(nameOf(stream->dtype()))));
    const auto bytes = stream->aligned<std::uint8_t>();
    const Bytes file = bytes.span();
    // A reader holds up to sixteen bytes for a pixel beside the picture itself.
    const std::int64_t mostPixels = std::min(c.memoryLeft() / 32, std::int64_t{1} << 31);
    std::optional<Picture> picture = decode(file, mostPixels);
    // What cannot be decoded gives an empty matrix.
    if (!picture)
        picture.emplace();
    const std::int64_t channels = format == "Grayscale" ? 1 : 3;
    FUSESCOPE_ASSIGN(Tensor image,
                     c.allocate(DType::uint8, {picture->height, picture->width, channels}));
    std::uint8_t* to = image.mutableElements<std::uint8_t>();
    for (std::size_t at = 0; at < picture->pixels.size(); at += 3) {
        const std::uint32_t red = picture->pixels[at], green = picture->pixels[at + 1];
        const std::uint32_t blue = picture->pixels[at + 2];
        if (channels == 1) {
            // Luminance of ITU-R BT.601, in steps of 2^-16.
            *to++ = static_cast<std::uint8_t>((red * 19595 + green * 38470 + blue * 7471 + 32768) >>
                                              16);
            continue;
        }
        *to++ = static_cast<std::uint8_t>(format == "RGB" ? red : blue);
        *to++ = static_cast<std::uint8_t>(green);
        *to++ = static_cast<std::uint8_t>(format == "RGB" ? blue : red);
    }
    c.setOutput(0, std::move(image));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "ImageDecoder", 20, inferImageDecoder, runImageDecoder},
};

} // namespace

} // namespace fusescope::images

namespace fusescope::families {

std::span<const OpEntry> images()
{
    return fusescope::images::entries;
}

} // namespace fusescope::families
