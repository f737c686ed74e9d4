#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"io.reading", CORE_TEXT("Core", "Reading the model")},
    {"io.writing", CORE_TEXT("Core", "Writing the model")},
    {"io.cannot-open", CORE_TEXT("Core", "`{file}` cannot be opened: {why}.")},
    {"io.not-a-file", CORE_TEXT("Core", "`{file}` is not a regular file.")},
    {"io.cut-off", CORE_TEXT("Core", "The file is cut off: it ends after {size} bytes, and at least {missing} more are missing. Nothing was opened.")},
    {"io.not-a-model", CORE_TEXT("Core", "This is not an ONNX model, or it is cut off: it cannot be read on from byte {offset}.")},
    {"io.no-graph", CORE_TEXT("Core", "This file holds no ONNX graph.")},
    {"io.malformed", CORE_TEXT("Core", "The file is damaged: it cannot be read on from byte {offset}.")},
    {"io.too-deep", CORE_TEXT("Core", "Graphs are nested too deeply.")},
    {"io.too-many-nodes", CORE_TEXT("Core", "The model has more than {limit} nodes.")},
    {"io.changed-since",
     CORE_TEXT("Core", "{file} was changed while it was open: what was read of it is not to be trusted.")},
    {"io.attribute-twice", CORE_TEXT("Core", "The attribute `{name}` is given twice; the last one counts.")},
    {"io.graph-as-default", CORE_TEXT("Core", "A function has a graph as the default of an attribute.")},
    {"io.tensor-too-large", CORE_TEXT("Core", "The tensor `{tensor}` has an impossible size.")},
    {"io.bad-shape", CORE_TEXT("Core", "The tensor `{tensor}` has a negative or impossible size.")},
    {"io.unknown-dtype", CORE_TEXT("Core", "The tensor `{tensor}` has the unknown element type {dtype}.")},
    {"io.wrong-size", CORE_TEXT("Core", "The tensor `{tensor}` needs {expected} bytes, but {found} are given.")},
    {"io.wrong-count", CORE_TEXT("Core", "The tensor `{tensor}` needs {expected} elements, but {found} are given.")},
    {"io.no-contents", CORE_TEXT("Core", "The tensor `{tensor}` has no contents in the file.")},
    {"io.weights-missing",
     CORE_TEXT("Core", "The weights of `{tensor}` are missing: `{file}` cannot be opened ({why}). The graph "
                       "is shown; folding and running need them.")},
    {"io.external-not-allowed", CORE_TEXT("Core", "The contents of the tensor `{tensor}` cannot lie in another file.")},
    {"io.external-leaves-folder", CORE_TEXT("Core", "`{file}` lies outside the model's folder and is not read.")},
    {"io.external-bad-number", CORE_TEXT("Core", "The place of the tensor `{tensor}` in `{file}` is not a number: `{text}`.")},
    {"io.external-too-short", CORE_TEXT("Core", "The tensor `{tensor}` needs {needed} bytes from byte {offset} of `{file}` on, which has {size} bytes.")},
    {"io.region-not-lowered", CORE_TEXT("Core", "A fused node has to be lowered to ONNX operators before it is written.")},
    {"io.cannot-write", CORE_TEXT("Core", "`{file}` cannot be written: {why}.")},
    {"io.disk-full", CORE_TEXT("Core", "There is no room for `{file}`: it needs {need} bytes, {free} are free.")},
    {"io.no-folder", CORE_TEXT("Core", "The folder `{folder}` does not exist.")},
    {"io.exists", CORE_TEXT("Core", "`{file}` exists already.")},
    {"io.is-source", CORE_TEXT("Core", "`{file}` is the model that is open, or holds its weights; it is never written.")},
    {"io.too-large",
     CORE_TEXT("Core", "The model takes {size} bytes, and one file holds 2 GB at most: its weights have "
                       "to be written as external data, beside it.")},
    {"io.opset-twice", CORE_TEXT("Core", "The operator set `{domain}` is imported twice; the first one counts.")},
    {"io.opset-invalid", CORE_TEXT("Core", "The operator set `{domain}` is imported in the impossible version {version}.")},
    {"io.opset-newer", CORE_TEXT("Core", "The operator set `{domain}` is imported in version {version}; only versions up to {known} are known.")},
    {"io.no-opsets", CORE_TEXT("Core", "The model imports no operator set.")},
    {"io.ir-missing", CORE_TEXT("Core", "The file does not say its IR version.")},
    {"io.ir-newer", CORE_TEXT("Core", "The file has the IR version {version}; only versions up to {known} are known.")},
    {"io.function-twice", CORE_TEXT("Core", "The function `{name}` is defined twice.")},
    {"io.function-without-name", CORE_TEXT("Core", "A function has no name.")},
    {"io.no-outputs", CORE_TEXT("Core", "The model has no outputs.")},
    {"io.input-without-type", CORE_TEXT("Core", "The input `{value}` has no type.")},
    {"io.input-without-name", CORE_TEXT("Core", "An input has no name.")},
    {"io.reference-outside", CORE_TEXT("Core", "The attribute `{name}` refers to a function's attribute, but its node is in no function.")},
    {"io.unknown-operator", CORE_TEXT("Core", "ONNX has no operator `{op}`.")},
    {"io.operator-later", CORE_TEXT("Core", "The operator `{op}` came with opset {since}; the model imports opset {version}.")},
    {"io.operator-deprecated", CORE_TEXT("Core", "The operator `{op}` is deprecated since opset {since}.")},
    {"io.too-few-inputs", CORE_TEXT("Core", "Inputs of `{op}`: at least {limit}; given: {found}.")},
    {"io.too-many-inputs", CORE_TEXT("Core", "Inputs of `{op}`: at most {limit}; given: {found}.")},
    {"io.too-few-outputs", CORE_TEXT("Core", "Outputs of `{op}`: at least {limit}; named: {found}.")},
    {"io.too-many-outputs", CORE_TEXT("Core", "Outputs of `{op}`: at most {limit}; named: {found}.")},
    {"io.input-missing", CORE_TEXT("Core", "`{op}` lacks its input `{name}`.")},
    {"io.unknown-attribute", CORE_TEXT("Core", "`{op}` has no attribute `{name}` at this opset.")},
    {"io.attribute-type", CORE_TEXT("Core", "The attribute `{name}` of `{op}` is of the type {found}; it has to be {expected}.")},
    {"io.attribute-missing", CORE_TEXT("Core", "`{op}` lacks its attribute `{name}`.")},
    {"io.call-without-attribute", CORE_TEXT("Core", "The call does not give the function's attribute `{name}`.")},
    {"io.sparse-indices",
     CORE_TEXT("Core", "The indices of the sparse tensor `{tensor}` do not ascend, or lie outside its shape.")},
    {"io.train-mode",
     CORE_TEXT("Core", "`{node}` drops elements at random, and no BatchNormalization is in training "
                       "mode: the module was exported in train mode, which PyTorch's exporter writes "
                       "into Dropout alone. Export it after eval().")},
    {"io.batchnorm-outputs", CORE_TEXT("Core", "`BatchNormalization` has more than one output, but does not run in training mode.")},
    {"io.data-truncated", CORE_TEXT("Core", "`{file}` is cut off or damaged.")},
    {"io.data-unknown", CORE_TEXT("Core", "`{file}` is not a {format} file.")},
    {"io.data-unsupported", CORE_TEXT("Core", "`{file}` holds arrays of the type `{type}`, which ONNX does not have.")},
    {"io.data-unusable", CORE_TEXT("Core", "`{file}` does not hold what its header says.")},
    {"io.archive-too-large",
     CORE_TEXT("Core", "`{file}` would be larger than the 4 GB that an .npz file holds.")},
};

} // namespace

std::span<const TextRow> io()
{
    return rows;
}

} // namespace fusescope::texts
