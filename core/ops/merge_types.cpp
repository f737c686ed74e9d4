#include "ops/graph_reader.h"

namespace fusescope {

namespace {

// How much a size says: a number, a term of named symbols, one with an unknown in it, an unknown.
int sharpness(const Dim& dim)
{
    if (dim.isConstant())
        return 3;
    if (dim.isUnknown())
        return 0;
    return dim.hasUnknown() ? 1 : 2;
}

Dim mergeDims(const Dim& declared, const Dim& inferred, bool keepNamed, bool& contradiction)
{
    if (provablyDifferent(declared, inferred)) {
        contradiction = true;
        return inferred;
    }
    if (keepNamed && !declared.hasUnknown())
        return declared;
    return sharpness(declared) > sharpness(inferred) ? declared : inferred;
}

Shape mergeShapes(const Shape& declared, const Shape& inferred, bool keepNamed, bool& contradiction)
{
    if (!inferred.hasRank())
        return declared;
    if (!declared.hasRank())
        return inferred;
    if (declared.rank() != inferred.rank()) {
        contradiction = true;
        return inferred;
    }
    std::vector<Dim> dims;
    dims.reserve(inferred.rank());
    for (std::size_t i = 0; i < inferred.rank(); ++i)
        dims.push_back(mergeDims(declared[i], inferred[i], keepNamed, contradiction));
    return Shape::of(std::move(dims));
}

Type merge(const Type& declared, const Type& inferred, bool keepNamed, bool& contradiction)
{
    if (!inferred.isKnown())
        return declared;
    if (!declared.isKnown() || declared == inferred)
        return inferred;
    if (declared.kind != inferred.kind) {
        contradiction = true;
        return inferred;
    }
    Type result = inferred;
    if (inferred.dtype == DType::undefined)
        result.dtype = declared.dtype;
    else if (declared.dtype != DType::undefined && declared.dtype != inferred.dtype)
        contradiction = true;
    result.shape = mergeShapes(declared.shape, inferred.shape, keepNamed, contradiction);
    if (declared.element && inferred.element)
        result.element = std::make_shared<const Type>(
            merge(*declared.element, *inferred.element, keepNamed, contradiction));
    else if (declared.element)
        result.element = declared.element;
    return result;
}

} // namespace

Type mergeTypes(const Type& declared, const Type& inferred, bool* contradiction)
{
    bool found = false;
    Type result = merge(declared, inferred, false, found);
    if (contradiction)
        *contradiction = found;
    return result;
}

Type mergePublic(const Type& declared, const Type& inferred, bool* contradiction)
{
    bool found = false;
    Type result = merge(declared, inferred, true, found);
    if (contradiction)
        *contradiction = found;
    return result;
}

} // namespace fusescope
