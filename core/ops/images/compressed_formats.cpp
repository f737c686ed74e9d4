#include "ops/images/images.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <openjpeg.h>
#include <png.h>
#include <tiffio.h>
#include <turbojpeg.h>
#include <webp/decode.h>

namespace fusescope::images {

namespace {

// What the C libraries read from and say when they cannot: nothing, the caller tells.
struct Source
{
    Bytes bytes;
    std::size_t at = 0;

    std::size_t take(void* to, std::size_t count)
    {
        count = std::min(count, bytes.size() - at);
        if (count > 0)
            std::memcpy(to, bytes.data() + at, count);
        at += count;
        return count;
    }
    std::size_t moveTo(std::size_t place) { return at = std::min(place, bytes.size()); }
};

} // namespace

std::optional<Picture> decodePng(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 8 || png_sig_cmp(file.data(), 0, 8) != 0)
        return std::nullopt;
    // libpng leaves by longjmp: what changes on the way stands on the heap, and no frame that is
    // passed holds objects.
    struct State
    {
        Source source;
        std::optional<Picture> picture;
        std::vector<png_bytep> rows;
        bool complete = false;
    };
    const auto state = std::make_unique<State>();
    state->source.bytes = file;
    png_structp png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, nullptr,
        [](png_structp from, png_const_charp) { png_longjmp(from, 1); },
        [](png_structp, png_const_charp) {});
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (info && !setjmp(png_jmpbuf(png))) {
        png_set_read_fn(png, &state->source, [](png_structp from, png_bytep to, png_size_t count) {
            if (static_cast<Source*>(png_get_io_ptr(from))->take(to, count) != count)
                png_error(from, "short");
        });
        png_read_info(png, info);
        png_set_expand(png);
        png_set_scale_16(png);
        png_set_strip_alpha(png);
        png_set_gray_to_rgb(png);
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        state->picture = makePicture(png_get_image_width(png, info),
                                     png_get_image_height(png, info), mostPixels);
        if (state->picture && png_get_rowbytes(png, info) ==
                                  static_cast<std::size_t>(state->picture->width) * 3) {
            for (std::int64_t y = 0; y < state->picture->height; ++y)
                state->rows.push_back(state->picture->pixels.data() + y * state->picture->width * 3);
            png_read_image(png, state->rows.data());
            state->complete = true;
        }
    }
    png_destroy_read_struct(&png, &info, nullptr);
    return state->complete ? std::move(state->picture) : std::nullopt;
}

std::optional<Picture> decodeJpeg(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 4 || file[0] != 0xff || file[1] != 0xd8)
        return std::nullopt;
    const std::unique_ptr<void, int (*)(tjhandle)> reader(tjInitDecompress(), tjDestroy);
    int width = 0, height = 0, sampling = 0, colours = 0;
    if (!reader || tjDecompressHeader3(reader.get(), file.data(), file.size(), &width, &height,
                                       &sampling, &colours) != 0)
        return std::nullopt;
    auto picture = makePicture(width, height, mostPixels);
    const int format = colours == TJCS_CMYK || colours == TJCS_YCCK ? TJPF_UNKNOWN : TJPF_RGB;
    if (!picture || format == TJPF_UNKNOWN ||
        tjDecompress2(reader.get(), file.data(), file.size(), picture->pixels.data(), width, 0,
                      height, format, TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0)
        return std::nullopt;
    return picture;
}

std::optional<Picture> decodeWebp(Bytes file, std::int64_t mostPixels)
{
    int width = 0, height = 0;
    if (!WebPGetInfo(file.data(), file.size(), &width, &height))
        return std::nullopt;
    auto picture = makePicture(width, height, mostPixels);
    if (!picture || !WebPDecodeRGBInto(file.data(), file.size(), picture->pixels.data(),
                                       picture->pixels.size(), width * 3))
        return std::nullopt;
    return picture;
}

std::optional<Picture> decodeTiff(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 8 || (littleEndian(file, 0, 4) != 0x002a4949U &&
                            littleEndian(file, 0, 4) != 0x2a004d4dU))
        return std::nullopt;
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    Source source{file};
    const auto read = [](thandle_t from, void* to, tmsize_t count) -> tmsize_t {
        return static_cast<tmsize_t>(
            static_cast<Source*>(from)->take(to, static_cast<std::size_t>(count)));
    };
    const auto write = [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; };
    const auto seek = [](thandle_t from, toff_t place, int whence) -> toff_t {
        Source& bytes = *static_cast<Source*>(from);
        const std::size_t base = whence == SEEK_CUR   ? bytes.at
                                 : whence == SEEK_END ? bytes.bytes.size()
                                                      : 0;
        return bytes.moveTo(base + place);
    };
    const auto close = [](thandle_t) { return 0; };
    const auto size = [](thandle_t from) -> toff_t {
        return static_cast<Source*>(from)->bytes.size();
    };
    const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(
        TIFFClientOpen("picture", "rm", &source, read, write, seek, close, size, nullptr, nullptr),
        TIFFClose);
    std::uint32_t width = 0, height = 0;
    if (!tiff || TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) != 1 ||
        TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height) != 1)
        return std::nullopt;
    auto picture = makePicture(width, height, mostPixels);
    if (!picture)
        return std::nullopt;
    std::vector<std::uint32_t> pixels(picture->pixels.size() / 3);
    if (TIFFReadRGBAImageOriented(tiff.get(), width, height, pixels.data(), ORIENTATION_TOPLEFT, 1) !=
        1)
        return std::nullopt;
    for (std::size_t i = 0; i < pixels.size(); ++i)
        setPixel(*picture, static_cast<std::int64_t>(i), static_cast<std::uint8_t>(TIFFGetR(pixels[i])),
                 static_cast<std::uint8_t>(TIFFGetG(pixels[i])),
                 static_cast<std::uint8_t>(TIFFGetB(pixels[i])));
    return picture;
}

std::optional<Picture> decodeJpeg2000(Bytes file, std::int64_t mostPixels)
{
    const bool boxed = bigEndian(file, 4, 4) == 0x6a502020U; // "jP  "
    if (!boxed && bigEndian(file, 0, 4) != 0xff4fff51U)
        return std::nullopt;
    Source source{file};
    const std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)> stream(
        opj_stream_default_create(OPJ_TRUE), opj_stream_destroy);
    const std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)> codec(
        opj_create_decompress(boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K), opj_destroy_codec);
    if (!stream || !codec)
        return std::nullopt;
    opj_stream_set_user_data(stream.get(), &source, nullptr);
    opj_stream_set_user_data_length(stream.get(), file.size());
    opj_stream_set_read_function(stream.get(), [](void* to, OPJ_SIZE_T count, void* from) {
        const std::size_t taken = static_cast<Source*>(from)->take(to, count);
        return taken == 0 ? static_cast<OPJ_SIZE_T>(-1) : static_cast<OPJ_SIZE_T>(taken);
    });
    opj_stream_set_seek_function(stream.get(), [](OPJ_OFF_T place, void* from) -> OPJ_BOOL {
        Source& bytes = *static_cast<Source*>(from);
        return place >= 0 && bytes.moveTo(static_cast<std::size_t>(place)) ==
                                 static_cast<std::size_t>(place);
    });
    opj_stream_set_skip_function(stream.get(), [](OPJ_OFF_T count, void* from) -> OPJ_OFF_T {
        Source& bytes = *static_cast<Source*>(from);
        if (count < 0)
            return -1;
        bytes.moveTo(bytes.at + static_cast<std::size_t>(count));
        return count;
    });
    opj_dparameters_t parameters = {};
    opj_set_default_decoder_parameters(&parameters);
    opj_image_t* header = nullptr;
    if (!opj_setup_decoder(codec.get(), &parameters) ||
        !opj_read_header(stream.get(), codec.get(), &header))
        return std::nullopt;
    const std::unique_ptr<opj_image_t, void (*)(opj_image_t*)> image(header, opj_image_destroy);
    const auto width = std::int64_t{image->x1} - image->x0;
    const auto height = std::int64_t{image->y1} - image->y0;
    auto picture = makePicture(width, height, mostPixels);
    if (!picture || (image->numcomps != 1 && image->numcomps < 3) ||
        image->color_space == OPJ_CLRSPC_SYCC ||
        !opj_decode(codec.get(), stream.get(), image.get()))
        return std::nullopt;
    for (OPJ_UINT32 k = 0; k < 3; ++k) {
        const opj_image_comp_t& plane = image->comps[image->numcomps == 1 ? 0 : k];
        if (!plane.data || plane.w != width || plane.h != height || plane.prec < 1 || plane.prec > 16)
            return std::nullopt;
        const int sign = plane.sgnd ? 1 << (plane.prec - 1) : 0;
        for (std::int64_t i = 0; i < width * height; ++i) {
            const int sample = plane.data[i] + sign;
            const int eight = plane.prec >= 8 ? sample >> (plane.prec - 8)
                                              : sample * 255 / ((1 << plane.prec) - 1);
            picture->pixels[static_cast<std::size_t>(i * 3 + k)] =
                static_cast<std::uint8_t>(std::clamp(eight, 0, 255));
        }
    }
    return picture;
}

} // namespace fusescope::images
