#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"session.picture-not-written", CORE_TEXT("Session", "The picture {file} was not written: {why}.")},
    {"session.picture-kind",
     CORE_TEXT("Session", "{file} is no picture: its name must end in .svg, .png or .pdf.")},
    {"session.not-a-folder", CORE_TEXT("Session", "There is no such folder that can be read.")},
    {"session.conformance-differs",
     CORE_TEXT("Session", "Output `{output}` should be {expected}; it is {found} and differs by "
                          "{error}.")},
    {"session.conformance-running", CORE_TEXT("Session", "Running {folder}")},
    {"session.optimizing", CORE_TEXT("Session", "Optimizing: {count} step so far"), CORE_TEXT("Session", "Optimizing: {count} steps so far")},
    {"session.input-does-not-fit", CORE_TEXT("Session", "The input `{value}` is {expected}; the file holds {found}.")},
    {"session.no-such-input", CORE_TEXT("Session", "The model has no input `{value}`; it has {known}.")},
    {"session.no-kernel", CORE_TEXT("Session", "`{node}` has no kernel, and the type of its result is not known.")},
    {"session.output-missing", CORE_TEXT("Session", "The output is not there after the change.")},
    {"session.waiting-for-run", CORE_TEXT("Session", "Waiting for another run to end")},
    {"session.running-before", CORE_TEXT("Session", "Running the model before")},
    {"session.running-after", CORE_TEXT("Session", "Running the model after")},
    {"session.outputs-differ", CORE_TEXT("Session", "Outputs differ beyond the tolerance.")},
    {"session.nan-on-both-sides",
     CORE_TEXT("Session", "`{output}` is NaN in {count} place, before and after alike; there the "
                          "comparison says nothing."),
     CORE_TEXT("Session", "`{output}` is NaN, before and after alike; of {count} places in all the "
                          "comparison says nothing.")},
    {"session.partial", CORE_TEXT("Session", "{count} node has no kernel: its result was replaced by the same values on both sides."), CORE_TEXT("Session", "{count} nodes have no kernel: their results were replaced by the same values on both sides.")},
    {"session.bisecting", CORE_TEXT("Session", "Looking between step {first} and step {last}")},
    {"session.no-samples", CORE_TEXT("Session", "The folder holds no inputs of this model: no input_0.pb, no NAME.npy, no .npz file, no folders of them.")},
    {"session.sample", CORE_TEXT("Session", "Comparing sample {count}")},
    {"session.exists", CORE_TEXT("Session", "The file exists already; it is replaced only on request.")},
    {"session.no-folder", CORE_TEXT("Session", "The folder does not exist.")},
    {"session.cannot-write", CORE_TEXT("Session", "The file cannot be written: {cause}.")},
    {"session.is-source", CORE_TEXT("Session", "This is the source file; it is never written.")},
    {"app.usage", CORE_TEXT("Session", "{text}")},
    {"target.generic", CORE_TEXT("Session", "Any runtime: everything that is legal is fused.")},
    {"target.onnxruntime",
     CORE_TEXT("Session", "ONNX Runtime: activations after Conv and Gemm, residual Adds, scales and "
                          "Transposes of products, Gelu and LayerNormalization are left to it.")},
    {"target.tensorrt",
     CORE_TEXT("Session", "TensorRT: padding, activations, residual Adds, elementwise chains and "
                          "attention are left to it.")},
    {"target.npu",
     CORE_TEXT("Session", "A neural processor: Relu and Clip after Conv, Gemm and residual Adds are "
                          "left to it.")},
    {"session.only-tensors", CORE_TEXT("Session", "Only tensors can be written to such a file.")},
    {"session.value-too-large",
     CORE_TEXT("Session", "`{value}` has {bytes} bytes; files of values are written up to {limit}.")},
    {"session.one-value", CORE_TEXT("Session", "The file holds one value; give a folder or an .npz for several.")},
    {"session.unknown-ending", CORE_TEXT("Session", "Values are written as .npz, .npy, .pb, or as a folder.")},
    {"session.writing", CORE_TEXT("Session", "Writing the model")},
    {"session.reading-back", CORE_TEXT("Session", "Reading the model back")},
    {"session.proving", CORE_TEXT("Session", "Running the model before and after")},
    {"session.interface-changed", CORE_TEXT("Session", "The input or output `{name}` of the written model is not what it is in the source.")},
    {"session.checker-complains", CORE_TEXT("Session", "ONNX's checker refuses the written model: {cause}")},
    {"session.proved-at-one-size", CORE_TEXT("Session", "Of two choices of sizes the model ran at one only.")},
    {"session.no-expected-output", CORE_TEXT("Session", "The data set has no expected value of the output `{output}`.")},
    {"session.contrib-not-run", CORE_TEXT("Session", "One operator of com.microsoft cannot be run here; the standard operators that it stands for were run in its place."),
     CORE_TEXT("Session", "{count} operators of com.microsoft cannot be run here; the standard operators that they stand for were run in their place.")},
    {"session.not-a-file", CORE_TEXT("Session", "What stands there is no file and is not replaced.")},
    {"session.samples-not-run", CORE_TEXT("Session", "{count} of the inputs could not be run.")},
    {"session.cut-node-lost", CORE_TEXT("Session", "`{node}`, which cannot be run, is not there after the change, though its result is read.")},
    {"session.output-extra", CORE_TEXT("Session", "The output is there after the change only.")},
    {"session.not-asked", CORE_TEXT("Session", "The proof was not asked for.")},
};

} // namespace

std::span<const TextRow> session()
{
    return rows;
}

} // namespace fusescope::texts
