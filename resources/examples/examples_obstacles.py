"""One small model for each further reason: what versions, types, shapes and formulas bring about."""

import numpy as np
from onnx import TensorProto, external_data_helper, helper

from model_maker import ModelMaker, example

FLOAT, HALF, DOUBLE, INT32, INT64 = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE,
                                     TensorProto.INT32, TensorProto.INT64)


def conv_batchnorm(m, x, name, channels_in, channels_out, output, **attributes):
    v = m.conv(x, name, channels_in, channels_out, kernel=1)
    return m.batchnorm(v, name + ".bn", channels_out, output=output, **attributes)


@example(["shared-weight", "ir3-input"], "fusion", "~conv -norm conv",
         "One weight for two convolutions",
         "The fusion changes a copy; the other convolution keeps the weight. At IR 3 initializers "
         "are listed among the inputs and still are constants.",
         "两个卷积共用一个权重",
         "融合只改动副本，另一个卷积保留原权重。IR 3 把初始化器列为输入，但它们仍是常量。")
def shared_weight():
    m = ModelMaker("shared_weight", opset=9, ir=3)
    x = m.input("x", ["N", 3, 8, 8])
    conv_batchnorm(m, x, "conv", 3, 4, "y")
    m.node("Conv", [x, "conv.weight"], "z", "other", kernel_shape=[1, 1], pads=[1, 1, 1, 1])
    for tensor in m.initializers:
        m.input(tensor.name, list(tensor.dims))
    m.output("y", ["N", 4, 8, 8])
    m.output("z", ["N", 4, 10, 10])
    return m


@example(["outer-scope-constant"], "fusion", "if ~conv -norm",
         "Weights of the outer graph",
         "The pair stands in a branch, its weights outside. The branch gets constants of its own.",
         "外层图的权重",
         "这一对节点在分支里，权重在外层。分支会得到自己的常量。")
def outer_weights():
    m = ModelMaker("outer_weights")
    x, flag = m.input("x", ["N", 3, 8, 8]), m.input("flag", [], TensorProto.BOOL)
    weight = m.weight("weight", [4, 3, 1, 1])
    params = [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4)) for p in ("s", "b", "m", "v")]
    bodies = []
    for name, with_bn in (("then", True), ("else", False)):
        out = helper.make_tensor_value_info(name + "_out", FLOAT, ["N", 4, 8, 8])
        nodes = [helper.make_node("Conv", [x, weight], [name + "_c"], name=name + "/conv")]
        nodes.append(helper.make_node("BatchNormalization", [name + "_c"] + params, [name + "_out"],
                                      name=name + "/bn") if with_bn else
                     helper.make_node("Sin", [name + "_c"], [name + "_out"], name=name + "/sin"))
        bodies.append(helper.make_graph(nodes, name, [], [out]))
    m.node("If", [flag], "y", "if", then_branch=bodies[0], else_branch=bodies[1])
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["different-scope"], "blocked", "conv if !norm",
         "Two nodes in two graphs",
         "The Conv stands outside, the BatchNormalization in a branch that may not run.",
         "两个节点在两个图里",
         "Conv 在外层，BatchNormalization 在不一定会运行的分支里。")
def across_graphs():
    m = ModelMaker("across_graphs")
    x, flag = m.input("x", ["N", 3, 8, 8]), m.input("flag", [], TensorProto.BOOL)
    v = m.conv(x, "conv", 3, 4)
    params = [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4)) for p in ("s", "b", "m", "v")]
    bodies = []
    for name in ("then", "else"):
        out = helper.make_tensor_value_info(name + "_out", FLOAT, ["N", 4, 8, 8])
        node = (helper.make_node("BatchNormalization", [v] + params, [name + "_out"], name="bn")
                if name == "then" else
                helper.make_node("Constant", [], [name + "_out"], name="zeros",
                                 value=helper.make_tensor("z", FLOAT, [1, 4, 8, 8], [0.0] * 256)))
        bodies.append(helper.make_graph([node], name, [], [out]))
    m.node("If", [flag], "y", "if", then_branch=bodies[0], else_branch=bodies[1])
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["read-by-body"], "kept", "act if",
         "Read in a branch alone",
         "No node of the main graph reads the Exp; the branch does, so it is not dead.",
         "只在分支里被读取",
         "主图里没有节点读取 Exp，但分支读取它，所以它不是死代码。")
def read_in_a_branch():
    m = ModelMaker("read_in_a_branch")
    x, flag = m.input("x", [4]), m.input("flag", [], TensorProto.BOOL)
    e = m.node("Exp", [x], "exp_out", "exp")
    bodies = []
    for name, op, source in (("then", "Neg", e), ("else", "Abs", x)):
        out = helper.make_tensor_value_info(name + "_out", FLOAT, [4])
        bodies.append(helper.make_graph(
            [helper.make_node(op, [source], [name + "_out"], name=name + "/" + op.lower())],
            name, [], [out]))
    m.node("If", [flag], "y", "if", then_branch=bodies[0], else_branch=bodies[1])
    m.output("y", [4])
    return m


@example(["operator-version"], "blocked", "act !custom",
         "An operator of an old version",
         "Before opset 7 Mul broadcasts only where an attribute says so; the rule does not know "
         "that form.",
         "旧版本的算子",
         "在 opset 7 之前，Mul 只有在属性要求时才广播；规则不认识这种形式。")
def old_silu():
    m = ModelMaker("old_silu", opset=6, ir=3)
    x = m.input("x", [2, 4])
    m.node("Mul", [x, m.node("Sigmoid", [x], "s", "sigmoid")], "y", "mul")
    m.output("y", [2, 4])
    return m


@example(["opset-too-old"], "fusion", "-reduce -act +norm",
         "An opset before LayerNormalization",
         "The formula is found, but LayerNormalization comes with opset 17: it becomes a region.",
         "早于 LayerNormalization 的 opset",
         "公式被认出，但 LayerNormalization 从 opset 17 才有：它变成一个融合区域。")
def old_layernorm():
    m = ModelMaker("old_layernorm", opset=13)
    x = m.input("x", ["N", 8])
    mean = m.node("ReduceMean", [x], "mean", "mean", axes=[-1])
    d = m.node("Sub", [x, mean], "d", "sub")
    v = m.node("ReduceMean", [m.node("Pow", [d, m.constant("two", 2.0)], "sq", "pow")], "var",
               "var", axes=[-1])
    s = m.node("Sqrt", [m.node("Add", [v, m.constant("eps", 1e-5)], "ve", "eps_add")], "std", "sqrt")
    n = m.node("Div", [d, s], "n", "div")
    g = m.node("Mul", [n, m.weight("gamma", [8])], "g", "mul")
    m.node("Add", [g, m.weight("beta", [8])], "y", "add")
    m.output("y", ["N", 8])
    return m


@example(["unsupported-type", "lossy-cast"], "blocked", "act !act custom !custom",
         "Whole numbers",
         "Relu and Clip of integers are not merged, and a Cast to float in between loses digits.",
         "整数",
         "整数的 Relu 与 Clip 不合并；中间转成浮点会丢失数位。")
def whole_numbers():
    m = ModelMaker("whole_numbers")
    r = m.node("Relu", [m.input("x", [4], INT32)], "relu_out", "relu")
    m.node("Clip", [r, m.constant("low", -1, np.int32)], "y", "clip")
    f = m.node("Cast", [m.input("z", [4], INT64)], "as_float", "to_float", to=FLOAT)
    m.node("Neg", [m.node("Cast", [f], "as_int", "to_int", to=INT64)], "w", "neg")
    m.output("y", [4], INT32)
    m.output("w", [4], INT64)
    return m


@example(["mixed-types"], "blocked", "conv !norm",
         "Two element types",
         "Before version 14 all operands of BatchNormalization have one type; here the parameters "
         "are doubles.",
         "两种元素类型",
         "版本 14 之前 BatchNormalization 的操作数类型必须相同，而这里参数是 double。")
def two_types():
    m = ModelMaker("two_types", opset=13)
    x = m.input("x", ["N", 3, 8, 8])
    v = m.conv(x, "conv", 3, 4, kernel=1)
    params = [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4), np.float64)
              for p in ("s", "b", "m", "v")]
    m.node("BatchNormalization", [v] + params, "y", "bn")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["not-profitable"], "blocked", "add !conv",
         "Joined parts of doubles",
         "A kernel that reads the parts where they lie exists for float32 alone.",
         "double 的拼接",
         "只有 float32 才有就地读取各部分的内核。")
def joined_doubles():
    m = ModelMaker("joined_doubles")
    a, b = m.input("a", [1, 2, 4, 4], DOUBLE), m.input("b", [1, 2, 4, 4], DOUBLE)
    c = m.node("Concat", [m.node("Sin", [a], "sin", "sin"), b], "joined", "concat", axis=1)
    m.node("Conv", [c, m.constant("weight", m.random.uniform(-1, 1, [3, 4, 1, 1]), np.float64)], "y",
           "conv")
    m.output("y", [1, 3, 4, 4], DOUBLE)
    return m


@example(["broadcast-enlarges"], "blocked", "custom !add",
         "An Add that enlarges",
         "The product is [3, 1], the sum [3, 4]: Gemm broadcasts its third operand, not the product.",
         "使结果变大的 Add",
         "乘积是 [3, 1]，和是 [3, 4]：Gemm 只广播第三个操作数，不广播乘积。")
def enlarging_add():
    m = ModelMaker("enlarging_add")
    p = m.node("MatMul", [m.input("x", [3, 3]), m.weight("B", [3, 1])], "product", "matmul")
    m.node("Add", [p, m.weight("c", [1, 4])], "y", "add")
    m.output("y", [3, 4])
    return m


@example(["optional-output-used", "unsupported-attribute"], "blocked", "shape !pool shape !pool",
         "Pools that need their padding",
         "The first MaxPool also gives indices; the second pool rounds its size up.",
         "需要填充的池化",
         "第一个 MaxPool 还输出索引；第二个池化向上取整尺寸。")
def odd_pools():
    m = ModelMaker("odd_pools")
    r = m.node("Relu", [m.input("x", [1, 2, 6, 6])], "relu_out", "relu")
    pads = m.ints("pads", [0, 0, 1, 1, 0, 0, 1, 1])
    a = m.node("Pad", [r, pads], "padded_a", "pad_a")
    m.node("MaxPool", [a], ["y", "indices"], "maxpool", kernel_shape=[2, 2], strides=[2, 2])
    b = m.node("Pad", [r, m.ints("more", [0, 0, 1, 1, 0, 0, 2, 2])], "padded_b", "pad_b")
    m.node("AveragePool", [b], "z", "averagepool", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    m.output("y", [1, 2, 4, 4])
    m.output("indices", [1, 2, 4, 4], INT64)
    m.output("z", [1, 2, 4, 4])
    return m


@example(["missing-external-data"], "blocked", "conv !norm",
         "Weights in a file that is not there",
         "The weight lies in an external file that did not come with the model.",
         "权重文件缺失",
         "权重存放在一个没有随模型一起提供的外部文件里。")
def lost_weights():
    m = ModelMaker("lost_weights")
    conv_batchnorm(m, m.input("x", ["N", 3, 8, 8]), "conv", 3, 4, "y")
    tensor = next(t for t in m.initializers if t.name == "conv.weight")
    external_data_helper.set_external_data(tensor, "lost_weights.bin")
    tensor.ClearField("raw_data")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["empty-tensor"], "blocked", "conv !norm",
         "A weight without elements",
         "The convolution makes no channels at all.",
         "没有元素的权重",
         "这个卷积不产生任何通道。")
def no_channels():
    m = ModelMaker("no_channels")
    v = m.node("Conv", [m.input("x", [1, 3, 4, 4]), m.constant("weight", np.zeros([0, 3, 1, 1]))],
               "c", "conv")
    m.batchnorm(v, "bn", 0, output="y")
    m.output("y", [1, 0, 4, 4])
    return m


@example(["batch-statistics"], "blocked", "conv reduce !norm",
         "Statistics of the batch",
         "The node is in inference form, but its mean and variance are computed from the Conv.",
         "批次统计量",
         "节点是推理形式，但均值和方差是由 Conv 的结果算出来的。")
def statistics_of_the_batch():
    m = ModelMaker("statistics_of_the_batch")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4)
    mean = m.node("ReduceMean", [v], "mean", "mean", axes=[0, 2, 3], keepdims=0)
    square = m.node("ReduceMean", [m.node("Mul", [v, v], "sq", "square")], "sq_mean", "sq_mean",
                    axes=[0, 2, 3], keepdims=0)
    var = m.node("Sub", [square, m.node("Mul", [mean, mean], "mm", "mm")], "var", "var")
    ins = [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4)) for p in ("scale", "bias")]
    m.node("BatchNormalization", [v] + ins + [mean, var], "y", "bn")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["channel-mismatch"], "blocked", "conv !norm",
         "Parameters of another length",
         "The Conv makes four channels; the scale has the shape [1, 4].",
         "长度不同的参数",
         "Conv 产生 4 个通道，而缩放参数的形状是 [1, 4]。")
def other_length():
    m = ModelMaker("other_length")
    v = m.conv(m.input("x", [1, 3, 8, 8]), "conv", 3, 4)
    ins = [m.constant("bn.scale", m.random.uniform(0.5, 1.5, [1, 4]))]
    ins += [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4)) for p in ("bias", "mean", "var")]
    m.node("BatchNormalization", [v] + ins, "y", "bn")
    m.output("y", [1, 4, 8, 8])
    return m


@example(["unsupported-rank"], "blocked", "custom !custom",
         "A product with a vector",
         "The weight of the MatMul is a vector: its scale is no scale of columns.",
         "与向量的乘积",
         "MatMul 的权重是向量：缩放不能当作对列的缩放。")
def vector_product():
    m = ModelMaker("vector_product")
    p = m.node("MatMul", [m.input("x", [2, 3]), m.weight("v", [3])], "product", "matmul")
    m.node("Mul", [p, m.constant("half", 0.5)], "y", "mul")
    m.output("y", [2])
    return m


@example(["zero-copies-dimension"], "blocked", "shape !shape",
         "A 0 that copies a size",
         "The zeros of the Reshape copy sizes of the value between, which are symbolic and stand "
         "elsewhere in the source.",
         "复制尺寸的 0",
         "Reshape 的 0 复制中间值的尺寸，它们是符号，在源中位于别处。")
def copied_size():
    m = ModelMaker("copied_size")
    u = m.node("Unsqueeze", [m.input("x", ["N", "M"]), m.ints("front", [0])], "u", "unsqueeze")
    m.node("Reshape", [u, m.ints("target", [0, 0, 0, 1])], "y", "reshape")
    m.output("y", [1, "N", "M", 1])
    return m


@example(["inverted-bounds", "unsupported-activation"], "blocked", "conv !act conv !act",
         "Bounds the wrong way round",
         "Before opset 13 nothing says what Clip with min above max does; and a PRelu whose slope "
         "runs along the width is no activation with parameters.",
         "上下界颠倒",
         "opset 13 之前没有规定 min 大于 max 时 Clip 的结果；斜率沿宽度变化的 PRelu 也不能作为带参数的激活。")
def wrong_way_round():
    m = ModelMaker("wrong_way_round", opset=11, ir=6)
    x = m.input("x", [1, 3, 8, 8])
    m.node("Clip", [m.conv(x, "conv1", 3, 4), m.constant("low", 6.0), m.constant("high", 0.0)], "y",
           "clip")
    m.node("PRelu", [m.conv(x, "conv2", 3, 4), m.weight("slope", [8])], "z", "prelu")
    m.output("y", [1, 4, 8, 8])
    m.output("z", [1, 4, 8, 8])
    return m


@example(["conv-activation"], "fusion", "~conv -act",
         "PRelu with a slope a channel",
         "A slope of one number a channel is an activation that a convolution can end with.",
         "逐通道斜率的 PRelu",
         "每通道一个数的斜率可以作为卷积末尾的激活。")
def channel_slopes():
    m = ModelMaker("channel_slopes")
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv", 3, 4)
    m.node("PRelu", [v, m.weight("slope", [4, 1, 1])], "y", "prelu")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["axis-mismatch"], "blocked", "custom !norm",
         "BatchNormalization over the rows",
         "Behind a MatMul of three dimensions axis 1 counts rows, not columns.",
         "沿行的 BatchNormalization",
         "三维 MatMul 之后，轴 1 是行而不是列。")
def over_the_rows():
    m = ModelMaker("over_the_rows")
    p = m.node("MatMul", [m.input("x", [2, 4, 4]), m.weight("B", [4, 4])], "product", "matmul")
    m.batchnorm(p, "bn", 4, output="y")
    m.output("y", [2, 4, 4])
    return m


@example(["unexpected-constant"], "blocked", "act !custom",
         "Nearly a Gelu",
         "The formula is Gelu's, but it divides by 1.5 where √2 belongs.",
         "几乎是 Gelu",
         "公式是 Gelu 的形式，但除数是 1.5 而不是 √2。")
def nearly_gelu():
    m = ModelMaker("nearly_gelu")
    x = m.input("x", ["N", 8])
    e = m.node("Erf", [m.node("Div", [x, m.constant("k", 1.5)], "scaled", "div")], "erf_out", "erf")
    a = m.node("Add", [e, m.constant("one", 1.0)], "added", "add")
    m.node("Mul", [m.node("Mul", [x, a], "xa", "mul"), m.constant("half", 0.5)], "y", "half_mul")
    m.output("y", ["N", 8])
    return m


@example(["operand-order"], "blocked", "conv !custom conv norm",
         "Operands the wrong way round",
         "A constant divided by the Conv is no scale; and a Conv that feeds the scale of a "
         "BatchNormalization is not its data.",
         "操作数顺序不对",
         "常量除以 Conv 不是缩放；喂给 BatchNormalization 缩放输入的 Conv 也不是它的数据。")
def wrong_operands():
    m = ModelMaker("wrong_operands")
    x = m.input("x", [1, 3, 1, 1])
    v = m.conv(x, "conv", 3, 4, kernel=1)
    m.node("Div", [m.constant("one", 1.0), v], "y", "div")
    flat = m.node("Reshape", [m.conv(x, "conv2", 3, 4, kernel=1), m.ints("four", [4])], "four_out",
                  "reshape")
    ins = [m.constant(f"bn.{p}", m.random.uniform(0.5, 1.5, 4)) for p in ("bias", "mean", "var")]
    m.node("BatchNormalization", [m.node("Sin", [m.input("data", [1, 4, 2, 2])], "sin", "sin"), flat] +
           ins, "w", "bn")
    m.output("y", [1, 4, 1, 1])
    m.output("w", [1, 4, 2, 2])
    return m


@example(["data-dependent-shape"], "blocked", "shape !shape",
         "As many as there are",
         "How many elements are not zero shows only when the model runs.",
         "有多少算多少",
         "有多少个非零元素，只有运行时才知道。")
def as_many_as_there_are():
    m = ModelMaker("as_many_as_there_are")
    i = m.node("NonZero", [m.input("x", [8])], "found", "nonzero")
    m.node("Shape", [i], "y", "shape")
    m.output("y", [2], INT64)
    return m


@example(["evaluation-failed", "no-kernel"], "kept", "!custom custom",
         "What cannot be computed beforehand",
         "A division by zero, and an operator that this program cannot run: both stay.",
         "无法预先计算",
         "除以零，以及本程序不能运行的算子：两者都保留。")
def not_computable():
    m = ModelMaker("not_computable", imports=[("com.acme", 1)])
    q = m.node("Div", [m.constant("one", [1], np.int32), m.constant("zero", [0], np.int32)], "q",
               "div")
    m.node("Add", [m.input("x", [1], INT32), q], "y", "add")
    v = m.node("Table", [m.constant("key", [1, 2, 3])], "table", "lookup", domain="com.acme")
    m.infos.append(helper.make_tensor_value_info("table", FLOAT, [4]))
    m.node("Mul", [m.input("u", [4]), v], "z", "mul")
    m.output("y", [1], INT32)
    m.output("z", [4])
    return m


@example(["gemm-bias"], "fusion", "~custom -add",
         "Two biases",
         "A Gemm has a bias already; what is added behind it goes into the same constant.",
         "两个偏置",
         "Gemm 已经有偏置；后面加上的数并入同一个常量。")
def two_biases():
    m = ModelMaker("two_biases")
    g = m.node("Gemm", [m.input("x", ["N", 4]), m.weight("B", [4, 3]), m.weight("c", [3])], "g", "gemm")
    m.node("Add", [g, m.weight("d", [3])], "y", "add")
    m.output("y", ["N", 3])
    return m


@example(["multi-consumer"], "blocked", "shape !conv act",
         "A Pad that two nodes read",
         "The fix gives each reader a Pad of its own, which costs little; then one goes into the Conv.",
         "被两个节点读取的 Pad",
         "修复让每个读取者各有一个 Pad，代价很小；之后其中一个并入 Conv。")
def shared_pad():
    m = ModelMaker("shared_pad")
    z = m.node("Pad", [m.input("x", [1, 3, 6, 6]), m.ints("pads", [0, 0, 1, 1, 0, 0, 1, 1])], "padded",
               "pad")
    m.conv(z, "conv", 3, 4, output="y", pads=[0, 0, 0, 0])
    m.node("Sigmoid", [z], "z", "sigmoid")
    m.output("y", [1, 4, 6, 6])
    m.output("z", [1, 3, 8, 8])
    return m
