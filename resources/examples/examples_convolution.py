"""One small model for each rule about convolutions and their neighbours."""

import numpy as np

from model_maker import ModelMaker, example


@example(["conv-batchnorm"], "fusion", "~conv -norm",
         "Conv + BatchNormalization",
         "The scale of each channel goes into the weights, the shift into the bias.",
         "Conv + BatchNormalization",
         "每个通道的缩放并入权重，偏移并入偏置。")
def conv_batchnorm():
    m = ModelMaker("conv_batchnorm")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 8)
    m.batchnorm(v, "bn", 8, output="y")
    m.output("y", ["N", 8, 8, 8])
    return m


@example(["batchnorm-conv"], "fusion", "-norm ~conv",
         "BatchNormalization before a Conv",
         "Without padding each tap sees real data, so scale and shift can move forward into the "
         "weights.",
         "Conv 之前的 BatchNormalization",
         "没有补零时，每个位置看到的都是真实数据，缩放与偏移可以前移到权重中。")
def batchnorm_conv():
    m = ModelMaker("batchnorm_conv")
    v = m.batchnorm(m.input("x", ["N", 4, 8, 8]), "bn", 4)
    m.conv(v, "conv", 4, 6, output="y", pads=[0, 0, 0, 0])
    m.output("y", ["N", 6, 6, 6])
    return m


@example(["scale-conv"], "fusion", "-add ~conv",
         "A scale before a Conv",
         "Pixels of 0 to 255 are brought to 0 to 1 first; the weights can do that too, and padding does "
         "not mind.",
         "Conv 之前的缩放",
         "先把 0 到 255 的像素变到 0 到 1；权重也能做到这一点，补零不受影响。")
def scale_conv():
    m = ModelMaker("scale_conv")
    v = m.node("Mul", [m.input("x", ["N", 3, 8, 8]), m.constant("k", [1 / 255])], "scaled", "scale")
    m.conv(v, "conv", 3, 6, output="y")
    m.output("y", ["N", 6, 8, 8])
    return m


@example(["batchnorm-chain"], "fusion", "pool ~norm -norm act",
         "Two BatchNormalizations in a row",
         "Behind a MaxPool neither goes into a Conv, but the second can do the work of both.",
         "连续两个 BatchNormalization",
         "在 MaxPool 之后，两者都无法并入 Conv，但第二个可以完成两者的工作。")
def batchnorm_chain():
    m = ModelMaker("batchnorm_chain")
    v = m.node("MaxPool", [m.input("x", ["N", 4, 8, 8])], "pooled", "pool", kernel_shape=[2, 2],
               strides=[2, 2])
    v = m.batchnorm(v, "bn1", 4)
    v = m.batchnorm(v, "bn2", 4)
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["conv-bias"], "fusion", "~conv -add",
         "Conv + bias",
         "An Add of one number a channel becomes the bias of the Conv.",
         "Conv + 偏置",
         "每个通道加一个数的 Add 变成 Conv 的偏置。")
def conv_bias():
    m = ModelMaker("conv_bias")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 6)
    m.node("Add", [v, m.weight("shift", [1, 6, 1, 1])], "y", "add")
    m.output("y", ["N", 6, 8, 8])
    return m


@example(["conv-scale"], "fusion", "~conv -add",
         "Conv + scale",
         "A Mul by one number a channel goes into weights and bias.",
         "Conv + 缩放",
         "每个通道乘一个数的 Mul 并入权重和偏置。")
def conv_scale():
    m = ModelMaker("conv_scale")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 6, bias=True)
    m.node("Mul", [v, m.weight("factor", [1, 6, 1, 1], 2.0)], "y", "mul")
    m.output("y", ["N", 6, 8, 8])
    return m


@example(["conv-activation", "clip-chain"], "fusion", "+conv -act -act",
         "Conv + activation",
         "A Relu and a Clip, merged into one, run on each result before it leaves the Conv.",
         "Conv + 激活",
         "Relu 与 Clip 先合并为一个，再在 Conv 写出结果之前直接作用其上。")
def conv_activation():
    m = ModelMaker("conv_activation")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 8, bias=True)
    v = m.node("Relu", [v], "relu_out", "relu")
    m.node("Clip", [v, m.constant("low", 0.0), m.constant("high", 6.0)], "y", "relu6")
    m.output("y", ["N", 8, 8, 8])
    return m


@example(["conv-add-activation"], "fusion", "+conv -add -act",
         "Conv + Add + activation",
         "The shortcut of a residual block is added while the Conv writes its result.",
         "Conv + Add + 激活",
         "残差块的捷径在 Conv 写出结果时一并相加。")
def conv_add_activation():
    m = ModelMaker("conv_add_activation")
    x = m.input("x", ["N", 4, 8, 8])
    v = m.conv(x, "conv", 4, 4, bias=True)
    v = m.node("Add", [v, x], "add_out", "add")
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["add-activation"], "fusion", "-add +act",
         "Add + activation",
         "One walk over memory in place of two.",
         "Add + 激活",
         "只遍历一次内存，而不是两次。")
def add_activation():
    m = ModelMaker("add_activation")
    a, b = m.input("a", ["N", 4, 8, 8]), m.input("b", ["N", 4, 8, 8])
    m.node("Relu", [m.node("Add", [a, b], "sum", "add")], "y", "relu")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["concat-conv"], "fusion", "-shape +conv",
         "Concat + Conv",
         "The Conv reads the parts where they lie; nothing is copied together first.",
         "Concat + Conv",
         "Conv 直接读取各部分所在之处，不必先拷贝到一起。")
def concat_conv():
    m = ModelMaker("concat_conv")
    a, b = m.input("a", ["N", 3, 16, 16]), m.input("b", ["N", 5, 16, 16])
    v = m.node("Concat", [a, b], "both", "concat", axis=1)
    m.conv(v, "conv", 8, 8, kernel=1, output="y")
    m.output("y", ["N", 8, 16, 16])
    return m


@example(["merge-parallel-conv"], "fusion", "-conv|-conv +conv",
         "Parallel Conv merge",
         "Two convolutions of the same input, side by side, become one with stacked weights.",
         "并行 Conv 合并",
         "同一输入上并列的两个卷积合并为一个，权重堆叠在一起。")
def merge_parallel_conv():
    m = ModelMaker("merge_parallel_conv")
    x = m.input("x", ["N", 4, 8, 8])
    a = m.conv(x, "left", 4, 6, kernel=1, bias=True)
    b = m.conv(x, "right", 4, 2, kernel=1)
    m.node("Concat", [a, b], "y", "concat", axis=1)
    m.output("y", ["N", 8, 8, 8])
    return m


@example(["convtranspose-batchnorm"], "fusion", "~conv -norm",
         "ConvTranspose + BatchNormalization",
         "As with a Conv, but the output channels are the second axis of the weights, group by "
         "group.",
         "ConvTranspose + BatchNormalization",
         "与 Conv 相同，只是输出通道是权重的第二个轴，并且按组划分。")
def convtranspose_batchnorm():
    m = ModelMaker("convtranspose_batchnorm")
    x = m.input("x", ["N", 4, 5, 5])
    w = m.weight("up.weight", [4, 3, 2, 2])
    v = m.node("ConvTranspose", [x, w], "up_out", "up", group=2, strides=[2, 2],
               kernel_shape=[2, 2])
    m.batchnorm(v, "bn", 6, output="y")
    m.output("y", ["N", 6, 10, 10])
    return m


@example(["pad-conv"], "fusion", "-shape ~conv",
         "Pad + Conv",
         "A Pad with zeros becomes the padding of the Conv.",
         "Pad + Conv",
         "补零的 Pad 变成 Conv 自己的补边。")
def pad_conv():
    m = ModelMaker("pad_conv")
    x = m.input("x", ["N", 3, 8, 8])
    v = m.node("Pad", [x, m.ints("amounts", [0, 0, 1, 1, 0, 0, 2, 2])], "padded", "pad")
    m.conv(v, "conv", 3, 4, output="y", pads=[0, 0, 0, 0])
    m.output("y", ["N", 4, 9, 9])
    return m


@example(["pad-pool"], "fusion", "-shape ~pool",
         "Pad + pooling",
         "AveragePool can pad with zeros itself, provided that it counts them.",
         "Pad + 池化",
         "AveragePool 自己就能补零，前提是把补上的零也计入平均。")
def pad_pool():
    m = ModelMaker("pad_pool")
    x = m.input("x", ["N", 3, 8, 8])
    v = m.node("Pad", [x, m.ints("amounts", [0, 0, 1, 1, 0, 0, 1, 1])], "padded", "pad")
    m.node("AveragePool", [v], "y", "pool", kernel_shape=[3, 3], strides=[1, 1],
           count_include_pad=1)
    m.output("y", ["N", 3, 8, 8])
    return m


@example(["conv-activation", "silu", "hard-swish"], "fusion", "conv -act -add +act",
         "SiLU and HardSwish",
         "x times Sigmoid(x), and x times HardSigmoid(x): the value is read twice, and still it "
         "is one activation.",
         "SiLU 与 HardSwish",
         "x 乘 Sigmoid(x)，以及 x 乘 HardSigmoid(x)：值被读取两次，但仍是一个激活。")
def silu_hard_swish():
    m = ModelMaker("silu_hard_swish")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv1", 3, 4, bias=True)
    s = m.node("Sigmoid", [v], "gate1", "sigmoid")
    v = m.node("Mul", [v, s], "silu_out", "mul1")
    v = m.conv(v, "conv2", 4, 4, bias=True)
    s = m.node("HardSigmoid", [v], "gate2", "hardsigmoid", alpha=float(np.float32(1 / 6)),
               beta=0.5)
    m.node("Mul", [v, s], "y", "mul2")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["mish"], "fusion", "conv -act -act -add +act",
         "Mish",
         "x times Tanh(Softplus(x)); from opset 18 it is one operator.",
         "Mish",
         "x 乘 Tanh(Softplus(x))；从 opset 18 起它是一个算子。")
def mish():
    m = ModelMaker("mish", opset=18)
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4, bias=True)
    s = m.node("Softplus", [v], "soft", "softplus")
    s = m.node("Tanh", [s], "gate", "tanh")
    m.node("Mul", [v, s], "y", "mul")
    m.output("y", ["N", 4, 8, 8])
    return m
