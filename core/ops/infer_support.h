#pragma once

#include "ops/broadcast.h"
#include "ops/kernel_support.h"
#include "ops/registry.h"

#include <initializer_list>

// What the inference functions and kernels of many operators share: checks that name what was
// expected and found, and arithmetic on shape vectors. `C` is either kind of context.
namespace fusescope {

// Axes counted from the front, in the order given; a repeated one is an error.
template <class C>
Result<std::vector<std::size_t>> wantAxes(const C& c, const std::vector<std::int64_t>& axes,
                                          std::size_t rank)
{
    std::vector<std::size_t> result;
    std::vector<bool> seen(rank);
    for (const std::int64_t axis : axes) {
        FUSESCOPE_ASSIGN(const std::size_t a, axisOf(c, axis, rank));
        if (seen[a])
            return c.wrong({"ops.repeated-axis", {{"axis", axis}}});
        seen[a] = true;
        result.push_back(a);
    }
    return result;
}

// The operands of one entry list after another.
std::vector<OpEntry> joinEntries(std::initializer_list<std::span<const OpEntry>> lists);

// --- inference ---

// Output 0 has the shape of all inputs broadcast together; element type of input 0, or `type`.
Result<void> inferBroadcastOf(InferenceContext& c, DType type = DType::undefined);

// The contents of an integer input when all are numbers.
std::optional<std::vector<std::int64_t>> knownInts(const InferenceContext& c, std::size_t input);
std::optional<std::int64_t> knownInt(const InferenceContext& c, std::size_t input);
// The number of elements of a 1-D input, when it is a number.
std::optional<std::int64_t> knownLength(const InferenceContext& c, std::size_t input);

// Axes that older versions have as an attribute and newer ones (`input` given) as an input.
struct AxesArgument
{
    bool given = false;                              // false: the default of the operator
    std::optional<std::vector<std::int64_t>> values; // nothing: given, but not known
};
AxesArgument axesArgument(const InferenceContext& c, bool asInput, std::size_t input = 1,
                          const char* attribute = "axes");

// Two sizes that must be equal: the one that says more. Nothing if they cannot be equal.
std::optional<Dim> meet(const Dim& a, const Dim& b);
Result<Dim> wantMeet(const InferenceContext& c, const Dim& a, const Dim& b, std::size_t axis);

// Whether elements of this type are carried as shape data. Exporters compute sizes in floats too:
// those carry data only while every element is a whole number, and a size stays far below 2^24.
bool carriesData(DType type);
// The contents of an input of rank 0 or 1 whose elements are whole numbers, of either kind.
ShapeData wholeNumbers(const InferenceContext& c, std::size_t input);
// Applies `f` to the shape data of inputs 0 and 1, a single element being broadcast; what `f` does
// not know becomes an unknown integer of the output. No data when an operand has none.
void propagateBinary(InferenceContext& c,
                     const std::function<std::optional<Dim>(const Dim&, const Dim&)>& f);
// Passes on the data of input 0 when the output still has rank 0 or 1.
void passData(InferenceContext& c, std::size_t outputRank);

// A size that an operator takes from shape data. The data may be negative for some sizes of the
// inputs, for which the node fails: where it runs the size is the data.
Dim sizeFrom(const InferenceContext& c, const Dim& data, std::size_t output, std::size_t axis);

// The output type that an attribute such as `to` or `dtype` names.
DType dtypeAttribute(const Attributes& attributes, const char* name, DType fallback);

// --- kernels ---

// All elements of an integer tensor input.
Result<std::vector<std::int64_t>> wantInts(const KernelContext& c, std::size_t input);
Result<std::int64_t> wantInt(const KernelContext& c, std::size_t input);
// Axes as an attribute or as an optional input; nothing when not given.
Result<std::optional<std::vector<std::int64_t>>> kernelAxes(const KernelContext& c, bool asInput,
                                                            std::size_t input = 1,
                                                            const char* attribute = "axes");
// An attribute that may be ints.
std::vector<std::int64_t> intsOr(const Attributes& attributes, const char* name,
                                 std::vector<std::int64_t> fallback);

} // namespace fusescope
