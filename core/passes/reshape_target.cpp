#include "passes/reshape_target.h"

namespace fusescope {

ReshapeTarget reshapeTarget(const Shape& source, const std::vector<std::optional<Dim>>& wanted,
                            bool zeroIsSize)
{
    ReshapeTarget target;
    std::optional<Dim> mayBeZero;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::optional<Dim>& size = wanted[i];
        const std::optional<std::int64_t> number = size ? size->constant() : std::nullopt;
        const bool copies = size && source.hasRank() && i < source.rank() &&
                            (provablyEqual(*size, source[i]) || (number == 0 && !zeroIsSize));
        if (number && *number > 0) {
            target.sizes.push_back(*number);
        } else if (number == -1) {
            target.sizes.push_back(-1);
            target.open.push_back(i);
        } else if (copies) {
            target.sizes.push_back(0);
            if (!mayBeZero && !provablyPositive(source[i]))
                mayBeZero = source[i];
        } else if (number) {
            target.impossible = true;
        } else {
            target.sizes.push_back(-1);
            target.open.push_back(i);
        }
    }
    // A −1 that was there infers as it did.
    if (!target.open.empty() && wanted[target.open.front()] != Dim(-1))
        target.mayBeZero = mayBeZero;
    return target;
}

std::optional<std::vector<std::int64_t>> reshapeTarget(const Shape& source, const Shape& wanted)
{
    if (!source.hasRank() || !wanted.hasRank())
        return std::nullopt;
    ReshapeTarget target =
        reshapeTarget(source, {wanted.dims().begin(), wanted.dims().end()}, true);
    if (!target.isConstant())
        return std::nullopt;
    return std::move(target.sizes);
}

} // namespace fusescope
