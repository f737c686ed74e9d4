"""One small model for each important reason why a rewrite is not applied."""

import numpy as np
from onnx import helper

from model_maker import ModelMaker, example


def batchnorm_inputs(m, name, channels, parts=("scale", "bias", "mean", "var")):
    return [m.constant(f"{name}.{part}", m.random.uniform(0.5, 1.5, channels)) for part in parts]


@example(["multi-consumer"], "blocked", "conv !act|pool",
         "A second reader",
         "Another node needs the value before the Relu, so it has to stay. A convolution is too "
         "dear to be computed twice, so no fix is offered.",
         "第二个读取者",
         "另一个节点需要 Relu 之前的值，因此该值必须保留。卷积算两次代价太高，因此不提供修复。")
def second_reader():
    m = ModelMaker("second_reader")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4, bias=True)
    m.node("Relu", [v], "y", "relu")
    m.node("GlobalAveragePool", [v], "aux", "aux/pool")
    m.output("y", ["N", 4, 8, 8])
    m.output("aux", ["N", 4, 1, 1])
    return m


@example(["graph-output"], "blocked", "conv !norm",
         "A model output in between",
         "The Conv's result is an output of the model; fusing would remove it.",
         "中间值是模型输出",
         "Conv 的结果是模型的输出，融合会使它消失。")
def output_between():
    m = ModelMaker("output_between")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4, output="features")
    m.batchnorm(v, "bn", 4, output="y")
    m.output("y", ["N", 4, 8, 8])
    m.output("features", ["N", 4, 8, 8])
    return m


@example(["subgraph-capture"], "blocked", "conv !act if",
         "Read inside a branch",
         "A branch of an If reads the Conv's result by its name, so it must stay.",
         "分支内部的读取",
         "If 的分支按名称读取 Conv 的结果，因此必须保留。")
def captured_by_branch():
    m = ModelMaker("captured_by_branch")
    x, c = m.input("x", ["N", 3, 8, 8]), m.input("flag", [], 9)
    v = m.conv(x, "conv", 3, 4, bias=True)
    r = m.node("Relu", [v], "relu_out", "relu")
    bodies = []
    for name, op, source in (("then", "Neg", v), ("else", "Abs", r)):
        out = helper.make_tensor_value_info(f"{name}_out", 1, ["N", 4, 8, 8])
        bodies.append(helper.make_graph(
            [helper.make_node(op, [source], [f"{name}_out"], name=f"{name}/{op.lower()}")],
            f"{name}_branch", [], [out]))
    m.node("If", [c], "y", "if", then_branch=bodies[0], else_branch=bodies[1])
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["overridable-initializer"], "blocked", "conv !norm",
         "Weights that a caller may replace",
         "The weight is an initializer and also a model input. The fix freezes it.",
         "调用者可替换的权重",
         "权重既是初始化器又是模型输入。修复会将它冻结。")
def replaceable_weight():
    m = ModelMaker("replaceable_weight")
    x = m.input("x", ["N", 3, 8, 8])
    v = m.conv(x, "conv", 3, 4)
    m.input("conv.weight", [4, 3, 3, 3])
    m.batchnorm(v, "bn", 4, output="y")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["training-mode-batchnorm"], "blocked", "conv !norm",
         "BatchNormalization in training mode",
         "Mean and variance come from each batch, so nothing can be computed beforehand.",
         "训练模式的 BatchNormalization",
         "均值与方差取自每个批次，无法预先计算。")
def training_batchnorm():
    m = ModelMaker("training_batchnorm")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4)
    m.batchnorm(v, "bn", 4, output=["y", "mean", "var"], training_mode=1)
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["training-mode-dropout"], "blocked", "conv !custom act",
         "Dropout in training mode",
         "It would drop elements at random, so it is more than a detour.",
         "训练模式的 Dropout",
         "它会随机丢弃元素，因此不能当作多余的节点去掉。")
def training_dropout():
    m = ModelMaker("training_dropout")
    v = m.conv(m.input("x", [1, 3, 8, 8]), "conv", 3, 4, bias=True)
    v = m.node("Dropout", [v, m.constant("ratio", 0.5), m.constant("training", True, np.bool_)],
               "dropped", "dropout")
    m.node("Relu", [v], "y", "relu")
    m.output("y", [1, 4, 8, 8])
    return m


@example(["not-per-channel"], "blocked", "conv !add",
         "A bias along the width",
         "The constant has as many numbers as there are channels, but Add counts its axes from "
         "the end: it acts along the width.",
         "沿宽度的偏置",
         "常量的个数恰好等于通道数，但 Add 从末尾数轴：它沿宽度作用。")
def bias_along_width():
    m = ModelMaker("bias_along_width")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 8)
    m.node("Add", [v, m.weight("bias", [8])], "y", "add")
    m.output("y", ["N", 8, 8, 8])
    return m


@example(["padding-sees-shift"], "blocked", "norm !conv",
         "Padding after a shift",
         "The Conv pads with zeros after the BatchNormalization has shifted the data, so border "
         "pixels would change.",
         "偏移之后的补零",
         "Conv 在 BatchNormalization 偏移数据之后才补零，边缘像素会改变。")
def padding_after_shift():
    m = ModelMaker("padding_after_shift")
    v = m.batchnorm(m.input("x", ["N", 3, 8, 8]), "bn", 3)
    m.conv(v, "conv", 3, 4, output="y")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["activation-between"], "blocked", "conv act !norm",
         "Relu before the BatchNormalization",
         "A Relu stands between Conv and BatchNormalization; it is not linear, so they cannot "
         "pass it.",
         "Relu 在 BatchNormalization 之前",
         "Conv 与 BatchNormalization 之间有一个 Relu；它不是线性的，二者无法越过。")
def relu_between():
    m = ModelMaker("relu_between")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4, bias=True)
    v = m.node("Relu", [v], "relu_out", "relu")
    m.batchnorm(v, "bn", 4, output="y")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["shape-operator-between"], "blocked", "conv shape !norm",
         "A Transpose in the way",
         "After the Transpose the channels are another axis than the one that "
         "BatchNormalization means.",
         "挡路的 Transpose",
         "经过 Transpose 之后，通道已不在 BatchNormalization 所指的那个轴上。")
def transpose_between():
    m = ModelMaker("transpose_between")
    v = m.conv(m.input("x", ["N", 3, 4, 4]), "conv", 3, 4)
    v = m.node("Transpose", [v], "turned", "transpose", perm=[0, 2, 1, 3])
    m.batchnorm(v, "bn", 4, output="y")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["cast-between"], "blocked", "conv custom !norm",
         "A Cast in the way",
         "Conv and BatchNormalization work in different element types.",
         "挡路的 Cast",
         "Conv 与 BatchNormalization 使用不同的元素类型。")
def cast_between():
    m = ModelMaker("cast_between")
    v = m.conv(m.input("x", ["N", 3, 4, 4]), "conv", 3, 4)
    v = m.node("Cast", [v], "wide", "cast", to=11)
    ins = [v] + [m.constant(f"bn.{part}", m.random.uniform(0.5, 1.5, 4), np.float64)
                 for part in ("scale", "bias", "mean", "var")]
    m.node("BatchNormalization", ins, "y", "bn")
    m.output("y", ["N", 4, 4, 4], 11)
    return m


@example(["broadcast-enlarges"], "blocked", "pool conv !add act",
         "A shortcut that enlarges",
         "The Conv gives one number a channel and the shortcut a whole picture, so the sum is larger "
         "than what the Conv writes.",
         "使结果变大的捷径",
         "Conv 每个通道只给出一个数，捷径却是整幅图，因此和比 Conv 写出的结果更大。")
def enlarging_shortcut():
    m = ModelMaker("enlarging_shortcut")
    x = m.input("x", ["N", 4, 8, 8])
    z = m.node("GlobalAveragePool", [x], "pooled", "pool")
    v = m.conv(z, "conv", 4, 4, kernel=1, bias=True)
    v = m.node("Add", [v, x], "sum", "add")
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["shape-mismatch"], "blocked", "!add norm",
         "A residual of another size",
         "The sum in front of the normalization adds one number to each row; what is added while it "
         "reads must have the same shape, or repeat from row to row.",
         "尺寸不同的残差",
         "归一化之前的加法给每一行加一个数；能在读取时一并相加的值须形状相同，或逐行重复。")
def column_residual():
    m = ModelMaker("column_residual")
    x, column = m.input("x", ["N", 6, 8]), m.input("column", ["N", 6, 1])
    v = m.node("Add", [x, column], "sum", "add")
    m.node("LayerNormalization", [v, m.constant("gamma", np.ones(8)),
                                  m.constant("beta", np.zeros(8))], "y", "norm")
    m.output("y", ["N", 6, 8])
    return m


@example(["would-create-cycle"], "blocked", "conv act !add",
         "A shortcut from its own result",
         "The other side of the Add is computed from the Conv, so it cannot be its input too.",
         "来自自身结果的捷径",
         "Add 的另一侧由该 Conv 计算得来，因此不能同时作为它的输入。")
def own_shortcut():
    m = ModelMaker("own_shortcut")
    x = m.input("x", ["N", 4, 8, 8])
    v = m.conv(x, "conv", 4, 4, bias=True)
    s = m.node("Sigmoid", [v], "gate", "sigmoid")
    v = m.node("Add", [v, s], "sum", "add")
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["padding-value", "negative-padding", "pads-other-axis"], "blocked", "shape !conv",
         "Pads that are no zero padding",
         "One pads with a half, one crops, one widens the channels: none is what a Conv can do.",
         "不是补零的 Pad",
         "一个补 0.5，一个在裁剪，一个加宽通道：都不是 Conv 能做的补零。")
def odd_pads():
    m = ModelMaker("odd_pads")
    x = m.input("x", ["N", 3, 8, 8])
    v = m.node("Pad", [x, m.ints("around", [0, 0, 1, 1, 0, 0, 1, 1]), m.constant("half", 0.5)],
               "p1", "pad/value")
    v = m.conv(v, "conv1", 3, 4, pads=[0, 0, 0, 0])
    v = m.node("Pad", [v, m.ints("crop", [0, 0, -1, -1, 0, 0, 0, 0])], "p2", "pad/crop")
    v = m.conv(v, "conv2", 4, 4)
    v = m.node("Pad", [v, m.ints("deeper", [0, 1, 0, 0, 0, 1, 0, 0])], "p3", "pad/channels")
    m.conv(v, "conv3", 6, 4, output="y")
    m.output("y", ["N", 4, 7, 7])
    return m


@example(["not-constant"], "blocked", "conv !norm",
         "Parameters computed at run time",
         "The scale of the BatchNormalization comes from another input, so it is not known here.",
         "运行时计算的参数",
         "BatchNormalization 的缩放来自另一个输入，此处无法得知。")
def computed_scale():
    m = ModelMaker("computed_scale")
    x, style = m.input("x", ["N", 3, 8, 8]), m.input("style", [4])
    v = m.conv(x, "conv", 3, 4)
    s = m.node("Exp", [style], "scale", "exp")
    ins = batchnorm_inputs(m, "bn", 4, ("bias", "mean", "var"))
    m.node("BatchNormalization", [v, s] + ins, "y", "bn")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["not-finite"], "blocked", "conv !norm",
         "A variance below zero",
         "Channel 2 has variance + epsilon below zero: the model gives NaN already, and folding "
         "would hide it.",
         "小于零的方差",
         "通道 2 的方差加 epsilon 小于零：模型本来就得到 NaN，融合会把它掩盖。")
def bad_variance():
    m = ModelMaker("bad_variance")
    v = m.conv(m.input("x", ["N", 3, 4, 4]), "conv", 3, 4)
    ins = batchnorm_inputs(m, "bn", 4, ("scale", "bias", "mean"))
    m.node("BatchNormalization", [v] + ins + [m.constant("bn.var", [1.0, 0.5, -0.25, 0.7])],
           "y", "bn")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["side-effect", "custom-domain"], "kept", "conv !custom",
         "Custom operators",
         "A node of another domain may do something that nobody sees; a Relu of another domain "
         "only shares the name.",
         "自定义算子",
         "其他域的节点可能做着看不见的事；其他域的 Relu 只是同名。")
def custom_operators():
    m = ModelMaker("custom_operators", imports=[("com.acme", 1)])
    v = m.conv(m.input("x", ["N", 3, 4, 4]), "conv", 3, 4, bias=True)
    m.node("Log", [v], "unread", "log", domain="com.acme")
    m.node("Relu", [v], "y", "relu", domain="com.acme")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["quantized-neighbour"], "kept", "!custom conv",
         "Quantized weights",
         "The weights pass a DequantizeLinear, which is kept so that a runtime can see the "
         "quantized form.",
         "量化的权重",
         "权重经过 DequantizeLinear；保留它，运行时才能认出量化形式。")
def quantized_weights():
    m = ModelMaker("quantized_weights")
    x = m.input("x", ["N", 3, 4, 4])
    q = m.constant("q", m.random.integers(-90, 90, (4, 3, 1, 1)), np.int8)
    w = m.node("DequantizeLinear", [q, m.constant("step", 0.01)], "w", "dequantize")
    v = m.node("Conv", [x, w], "conv_out", "conv", kernel_shape=[1, 1])
    m.node("BatchNormalization", [v] + batchnorm_inputs(m, "bn", 4), "y", "bn")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["public-name"], "kept", "act !custom",
         "Two names of one value",
         "The Identity joins an input to an output; both names are public, so one node has to "
         "carry the second.",
         "一个值的两个名称",
         "Identity 连接输入与输出；两个名称都是公开的，必须有一个节点承载第二个名称。")
def two_names():
    m = ModelMaker("two_names")
    x = m.input("x", ["N", 4])
    m.node("Identity", [x], "same", "identity")
    m.node("Relu", [x], "y", "relu")
    m.output("same", ["N", 4])
    m.output("y", ["N", 4])
    return m


@example(["non-deterministic"], "kept", "!custom add",
         "A random operator",
         "Its inputs are known, its result is not: it differs at each run.",
         "随机算子",
         "它的输入已知，结果却不可知：每次运行都不同。")
def random_noise():
    m = ModelMaker("random_noise")
    x = m.input("x", [4])
    n = m.node("RandomNormal", [], "noise", "random", shape=[4], seed=3.0)
    m.node("Add", [x, n], "y", "add")
    m.output("y", [4])
    return m
