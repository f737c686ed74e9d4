#pragma once

#include "model/tensor.h"
#include "model/type.h"

#include <QImage>
#include <QList>

#include <optional>

namespace fusescope {

// Element (n, c, y, x) is (pixel − mean[c]) · scale[c] with pixels from 0 to 255; one number for all
// channels or one for each.
struct ImageRecipe
{
    QList<double> mean{0};
    QList<double> scale{1.0 / 255};
};

// The picture as a float tensor [1, C, H, W]: C, H and W as the type says, else 3 and `side`. Nothing
// where the type is no float tensor of rank 4 with 1 or 3 channels.
std::optional<Tensor> imageTensor(const QImage& image, const Type& type, const ImageRecipe& recipe,
                                  int side = 224);

} // namespace fusescope
