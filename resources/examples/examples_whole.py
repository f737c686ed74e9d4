"""Whole small networks, where several rules meet."""

import numpy as np
from onnx import helper

from model_maker import ModelMaker, example


@example(["conv-batchnorm", "conv-activation", "conv-add-activation", "multi-consumer",
          "training-mode-batchnorm"], "fusion", "act ~conv|~conv -norm|!norm add",
         "A residual block",
         "Two blocks of a ResNet with a head. Most fuses; a second reader and a "
         "BatchNormalization left in training mode show what stands in the way.",
         "残差块",
         "ResNet 的两个块加上输出头。大多可以融合；第二个读取者和留在训练模式的 "
         "BatchNormalization 展示了障碍所在。")
def residual_block():
    m = ModelMaker("residual_block")
    x = m.input("image", ["N", 3, 32, 32])
    v = m.conv(x, "stem/conv", 3, 8)
    v = m.batchnorm(v, "stem/bn", 8)
    stem = m.node("Relu", [v], "stem/relu_out", "stem/relu")

    v = m.conv(stem, "layer1/conv1", 8, 8)
    v = m.batchnorm(v, "layer1/bn1", 8)
    v = m.node("Relu", [v], "layer1/relu1_out", "layer1/relu1")
    v = m.conv(v, "layer1/conv2", 8, 8)
    v = m.batchnorm(v, "layer1/bn2", 8)
    v = m.node("Add", [v, stem], "layer1/add_out", "layer1/add")
    block = m.node("Relu", [v], "layer1/relu2_out", "layer1/relu2")

    v = m.conv(block, "layer2/conv1", 8, 16, strides=[2, 2])
    before = m.batchnorm(v, "layer2/bn1", 16)
    v = m.node("Relu", [before], "layer2/relu1_out", "layer2/relu1")
    v = m.conv(v, "layer2/conv2", 16, 16)
    v = m.batchnorm(v, "layer2/bn2", 16,
                    output=["layer2/bn2_out", "layer2/bn2_mean", "layer2/bn2_var"],
                    training_mode=1)
    s = m.conv(block, "layer2/shortcut/conv", 8, 16, kernel=1, strides=[2, 2])
    s = m.batchnorm(s, "layer2/shortcut/bn", 16)
    v = m.node("Add", [v, s], "layer2/add_out", "layer2/add")
    v = m.node("Relu", [v], "layer2/relu2_out", "layer2/relu2")

    v = m.node("GlobalAveragePool", [v], "head/pool_out", "head/pool")
    v = flatten_by_shape(m, v, "head")
    v = m.node("Dropout", [v], "head/dropout_out", "head/dropout")
    w = m.weight("head/fc.weight", [16, 10])
    v = m.node("MatMul", [v, w], "head/matmul_out", "head/matmul")
    v = m.node("Add", [v, m.weight("head/fc.bias", [10])], "head/add_out", "head/add")
    m.node("Softmax", [v], "scores", "head/softmax", axis=-1)
    m.output("scores", ["N", 10])

    a = m.node("GlobalAveragePool", [before], "aux/pool_out", "aux/pool")
    a = m.node("Flatten", [a], "aux/flatten_out", "aux/flatten", axis=1)
    a = m.node("MatMul", [a, m.weight("aux/fc.weight", [16, 10])], "aux/matmul_out", "aux/matmul")
    m.node("Identity", [a], "aux_scores", "aux/identity")
    m.output("aux_scores", ["N", 10])
    return m


def flatten_by_shape(m, v, scope):
    """The way in which exporters write x.view(x.size(0), -1)."""
    s = m.node("Shape", [v], f"{scope}/shape_out", f"{scope}/shape")
    s = m.node("Gather", [s, m.constant(f"{scope}/zero", 0, "int64")], f"{scope}/gather_out",
               f"{scope}/gather", axis=0)
    s = m.node("Unsqueeze", [s, m.ints(f"{scope}/axes", [0])], f"{scope}/unsqueeze_out",
               f"{scope}/unsqueeze")
    s = m.node("Concat", [s, m.ints(f"{scope}/rest", [-1])], f"{scope}/concat_out",
               f"{scope}/concat", axis=0)
    return m.node("Reshape", [v, s], f"{scope}/reshape_out", f"{scope}/reshape")


@example(["layer-normalization", "attention", "gelu", "matmul-add"], "fusion",
         "+norm conv|conv|conv +conv add",
         "A transformer block",
         "LayerNormalization, attention and Gelu written out in small operators, as exporters "
         "leave them.",
         "Transformer 块",
         "LayerNormalization、注意力与 Gelu 被导出器拆成许多小算子的样子。")
def transformer_block():
    width, heads, length = 16, 2, 6
    m = ModelMaker("transformer_block")
    x = m.input("tokens", [1, length, width])

    def layer_norm(v, scope):
        mean = m.node("ReduceMean", [v], f"{scope}/mean", axes=[-1], keepdims=1)
        d = m.node("Sub", [v, mean], f"{scope}/centred")
        sq = m.node("Pow", [d, m.constant(f"{scope}/two", 2.0)], f"{scope}/squared")
        var = m.node("ReduceMean", [sq], f"{scope}/variance", axes=[-1], keepdims=1)
        e = m.node("Add", [var, m.constant(f"{scope}/epsilon", 1e-5)], f"{scope}/safe")
        std = m.node("Sqrt", [e], f"{scope}/deviation")
        n = m.node("Div", [d, std], f"{scope}/normalized")
        g = m.node("Mul", [n, m.constant(f"{scope}/gamma", m.random.uniform(0.5, 1.5, width))],
                   f"{scope}/scaled")
        return m.node("Add", [g, m.weight(f"{scope}/beta", [width], 0.3)], f"{scope}/out")

    def linear(v, scope, a, b):
        p = m.node("MatMul", [v, m.weight(f"{scope}.weight", [a, b], a ** -0.5)],
                   f"{scope}/matmul")
        return m.node("Add", [p, m.weight(f"{scope}.bias", [b], 0.1)], f"{scope}/add")

    def split(v, scope, perm):
        r = m.node("Reshape", [v, m.ints(f"{scope}/heads", [1, length, heads, width // heads])],
                   f"{scope}/reshape")
        return m.node("Transpose", [r], f"{scope}/transpose", perm=perm)

    n = layer_norm(x, "norm1")
    q = split(linear(n, "attention/q", width, width), "attention/q", [0, 2, 1, 3])
    k = split(linear(n, "attention/k", width, width), "attention/k", [0, 2, 3, 1])
    v = split(linear(n, "attention/v", width, width), "attention/v", [0, 2, 1, 3])
    s = m.node("MatMul", [q, k], "attention/scores")
    s = m.node("Div", [s, m.constant("attention/root", (width // heads) ** 0.5)],
               "attention/scaled")
    s = m.node("Softmax", [s], "attention/weights", axis=-1)
    s = m.node("MatMul", [s, v], "attention/mixed")
    s = m.node("Transpose", [s], "attention/together", perm=[0, 2, 1, 3])
    s = m.node("Reshape", [s, m.ints("attention/width", [1, length, width])], "attention/merged")
    s = linear(s, "attention/out", width, width)
    r = m.node("Add", [s, x], "residual1")
    n = layer_norm(r, "norm2")
    h = linear(n, "mlp/up", width, 2 * width)
    e = m.node("Div", [h, m.constant("mlp/root2", 2 ** 0.5)], "mlp/div")
    e = m.node("Erf", [e], "mlp/erf")
    e = m.node("Add", [e, m.constant("mlp/one", 1.0)], "mlp/plus")
    e = m.node("Mul", [h, e], "mlp/mul")
    e = m.node("Mul", [e, m.constant("mlp/half", 0.5)], "mlp/gelu")
    h = linear(e, "mlp/down", 2 * width, width)
    m.node("Add", [h, r], "out", "residual2")
    m.output("out", [1, length, width])
    return m


@example(["fold-condition"], "fusion", "-if -shape +act",
         "A squeeze of an open size",
         "Whether the axis can be dropped is asked at run time; but the Gemm takes rank 2 alone, so "
         "it must be dropped.",
         "对未定尺寸的 squeeze",
         "能否去掉该轴要到运行时才判断；但 Gemm 只接受二维输入，所以必定要去掉。")
def open_squeeze():
    m = ModelMaker("open_squeeze")
    x = m.input("x", ["N", 8, "L"])
    v = m.node("Slice", [x, m.ints("first", [0]), m.ints("second", [1]), m.ints("time", [2])],
               "now", "slice")
    s = m.node("Shape", [v], "sizes", "shape")
    n = m.node("Gather", [s, m.constant("last", 2, np.int64)], "size", "gather", axis=0)
    c = m.node("Equal", [n, m.constant("one", 1, np.int64)], "is_one", "equal")
    axes = m.ints("axes", [2])
    branches = []
    for name, node in (("then", helper.make_node("Squeeze", [v, axes], ["dropped"],
                                                 name="squeeze")),
                       ("else", helper.make_node("Identity", [v], ["kept"], name="identity"))):
        sizes = ["N", 8] if name == "then" else ["N", 8, "K"]
        out = helper.make_tensor_value_info(node.output[0], 1, sizes)
        branches.append(helper.make_graph([node], f"{name}_branch", [], [out]))
    v = m.node("If", [c], "flat", "if", then_branch=branches[0], else_branch=branches[1])
    v = m.node("Gemm", [v, m.weight("weight", [8, 4])], "g", "gemm")
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 4])
    return m


@example(["fold-if"], "fusion", "-if +conv +act",
         "An If with a known condition",
         "The condition is a constant, so one branch can be put in its place; then its Conv and "
         "Relu can meet what follows.",
         "条件已知的 If",
         "条件是常量，因此可以用其中一个分支取代它；分支里的 Conv 与 Relu 随后就能与后面的节点相遇。")
def two_branches():
    m = ModelMaker("two_branches")
    x = m.input("x", ["N", 4, 8, 8])
    flag = m.constant("use_sharp", True, bool)
    body = []
    for scope in ("sharp", "smooth"):
        name = f"{scope}.weight"
        m.weight(name, [4, 4, 3, 3])
        nodes = [helper.make_node("Conv", ["x", name], [f"{scope}_conv"], name=f"{scope}/conv",
                                  kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
                 helper.make_node("Relu", [f"{scope}_conv"], [f"{scope}_out"],
                                  name=f"{scope}/relu")]
        out = helper.make_tensor_value_info(f"{scope}_out", 1, ["N", 4, 8, 8])
        body.append(helper.make_graph(nodes, scope, [], [out]))
    m.node("If", [flag], "chosen", "if", then_branch=body[0], else_branch=body[1])
    m.node("Sigmoid", ["chosen"], "y", "sigmoid")
    m.output("y", ["N", 4, 8, 8])
    return m
