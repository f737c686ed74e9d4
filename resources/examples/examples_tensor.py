"""One small model for each rule about products, normalizations, shapes and constants."""

import numpy as np
from onnx import helper

from model_maker import ModelMaker, example


@example(["matmul-add-gemm", "gemm-activation"], "fusion", "-add -add +conv",
         "MatMul + Add to Gemm",
         "A matrix product and its bias are one Gemm; a Relu goes with it.",
         "MatMul + Add 变为 Gemm",
         "矩阵乘与它的偏置是一个 Gemm；后面的 Relu 也一起并入。")
def matmul_add_gemm():
    m = ModelMaker("matmul_add_gemm")
    v = m.node("MatMul", [m.input("x", ["N", 8]), m.weight("weight", [8, 6])], "product", "matmul")
    v = m.node("Add", [v, m.weight("bias", [6])], "sum", "add")
    m.node("Relu", [v], "y", "relu")
    m.output("y", ["N", 6])
    return m


@example(["matmul-add"], "fusion", "+conv -add",
         "MatMul + Add",
         "Three axes are more than a Gemm can hold, so product and bias become one region.",
         "MatMul + Add",
         "三个轴超出了 Gemm 的能力，因此矩阵乘与偏置成为一个融合区域。")
def matmul_add():
    m = ModelMaker("matmul_add")
    x = m.input("x", ["N", "T", 8])
    v = m.node("MatMul", [x, m.weight("weight", [8, 8])], "product", "matmul")
    m.node("Add", [v, m.weight("bias", [8])], "y", "add")
    m.output("y", ["N", "T", 8])
    return m


@example(["gemm-bias", "gemm-batchnorm"], "fusion", "~conv -add -norm",
         "Gemm + bias + BatchNormalization",
         "An Add and a BatchNormalization after a Gemm both go into its weights and bias.",
         "Gemm + 偏置 + BatchNormalization",
         "Gemm 之后的 Add 与 BatchNormalization 都并入它的权重和偏置。")
def gemm_batchnorm():
    m = ModelMaker("gemm_batchnorm")
    x = m.input("x", ["N", 8])
    v = m.node("Gemm", [x, m.weight("weight", [6, 8])], "gemm_out", "gemm", transB=1)
    v = m.node("Add", [v, m.weight("bias", [6])], "sum", "add")
    m.batchnorm(v, "bn", 6, output="y")
    m.output("y", ["N", 6])
    return m


@example(["matmul-scale"], "fusion", "~conv -add",
         "MatMul + scale",
         "A factor of one number after a product becomes part of it.",
         "MatMul + 缩放",
         "乘积之后只有一个数的系数成为乘积的一部分。")
def matmul_scale():
    m = ModelMaker("matmul_scale")
    v = m.node("MatMul", [m.input("a", [2, 5, 8]), m.input("b", [2, 8, 6])], "product", "matmul")
    m.node("Mul", [v, m.constant("factor", 0.125)], "y", "mul")
    m.output("y", [2, 5, 6])
    return m


@example(["transpose-matmul"], "fusion", "-shape +conv",
         "Transpose + MatMul",
         "A Transpose of the last two axes is done while the product reads its operand.",
         "Transpose + MatMul",
         "交换最后两个轴的 Transpose 在乘积读取操作数时一并完成。")
def transpose_matmul():
    m = ModelMaker("transpose_matmul")
    a, b = m.input("a", [2, 5, 8]), m.input("b", [2, 6, 8])
    t = m.node("Transpose", [b], "turned", "transpose", perm=[0, 2, 1])
    m.node("MatMul", [a, t], "y", "matmul")
    m.output("y", [2, 5, 6])
    return m


def centred(m, x, scope):
    mean = m.node("ReduceMean", [x], f"{scope}/mean", axes=[-1], keepdims=1)
    return m.node("Sub", [x, mean], f"{scope}/centred")


def deviation(m, d, scope):
    square = m.node("Pow", [d, m.constant(f"{scope}/two", 2.0)], f"{scope}/squared")
    mean = m.node("ReduceMean", [square], f"{scope}/variance", axes=[-1], keepdims=1)
    safe = m.node("Add", [mean, m.constant(f"{scope}/epsilon", 1e-5)], f"{scope}/safe")
    return m.node("Sqrt", [safe], f"{scope}/deviation")


@example(["layer-normalization", "skip-layer-normalization"], "fusion",
         "add -reduce -add -add +norm",
         "LayerNormalization written out",
         "Nine small nodes that compute mean, variance, scale and shift are one "
         "LayerNormalization, here with the Add before it.",
         "拆开的 LayerNormalization",
         "九个小节点计算均值、方差、缩放与偏移，合起来是一个 LayerNormalization，此处连同它之前的 Add。")
def layer_normalization():
    m = ModelMaker("layer_normalization")
    v = m.node("Add", [m.input("x", ["N", 4, 16]), m.input("skip", ["N", 4, 16])], "joined", "add")
    d = centred(m, v, "norm")
    v = m.node("Div", [d, deviation(m, d, "norm")], "norm/normalized")
    v = m.node("Mul", [v, m.constant("gamma", m.random.uniform(0.5, 1.5, 16))], "norm/scaled")
    m.node("Add", [v, m.weight("beta", [16])], "y", "norm/shift")
    m.output("y", ["N", 4, 16])
    return m


@example(["transpose-normalization"], "fusion", "conv -shape ~norm -shape conv",
         "Normalizing channels without transposing",
         "The exporter moves the channels to the end and back for the mean's sake; computed where "
         "they lie, it needs neither Transpose.",
         "无需转置即可对通道归一化",
         "导出器为了求均值把通道移到最后再移回来；就地计算则两个 Transpose 都不需要。")
def transpose_normalization():
    m = ModelMaker("transpose_normalization", opset=13, ir=7)
    v = m.conv(m.input("x", ["N", 3, 8, 8]), "conv1", 3, 8, bias=True)
    v = m.node("Transpose", [v], "channels_last", "to_last", perm=[0, 2, 3, 1])
    d = centred(m, v, "norm")
    v = m.node("Div", [d, deviation(m, d, "norm")], "norm/normalized")
    v = m.node("Mul", [v, m.constant("gamma", m.random.uniform(0.5, 1.5, 8))], "norm/scaled")
    v = m.node("Add", [v, m.weight("beta", [8])], "normal", "norm/shift")
    v = m.node("Transpose", [v], "channels_first", "to_first", perm=[0, 3, 1, 2])
    m.conv(v, "conv2", 8, 4, bias=True, output="y")
    m.output("y", ["N", 4, 8, 8])
    return m


@example(["rms-normalization"], "fusion", "-add -reduce -add +norm",
         "RMSNormalization written out",
         "As LayerNormalization, but nothing is subtracted: x divided by its root mean square.",
         "拆开的 RMSNormalization",
         "与 LayerNormalization 相似，但不减均值：x 除以自身的均方根。")
def rms_normalization():
    m = ModelMaker("rms_normalization")
    x = m.input("x", ["N", 4, 16])
    v = m.node("Div", [x, deviation(m, x, "norm")], "norm/normalized")
    m.node("Mul", [v, m.constant("gamma", m.random.uniform(0.5, 1.5, 16))], "y", "norm/scale")
    m.output("y", ["N", 4, 16])
    return m


@example(["gelu", "quick-gelu"], "fusion", "-add -act -add +act",
         "Gelu in two spellings",
         "Once with Erf and once as x times Sigmoid(1.702 x): each is one activation.",
         "两种写法的 Gelu",
         "一种用 Erf，另一种是 x 乘 Sigmoid(1.702 x)：各自都是一个激活。")
def gelu():
    m = ModelMaker("gelu", opset=20, ir=9)
    x = m.input("x", ["N", 16])
    v = m.node("Div", [x, m.constant("root2", np.sqrt(2.0))], "scaled", "div")
    v = m.node("Erf", [v], "erf_out", "erf")
    v = m.node("Add", [v, m.constant("one", 1.0)], "shifted", "plus")
    v = m.node("Mul", [x, v], "gated", "mul")
    h = m.node("Mul", [v, m.constant("half", 0.5)], "hidden", "halve")
    v = m.node("Mul", [h, m.constant("alpha", 1.702)], "steep", "scale")
    v = m.node("Sigmoid", [v], "gate", "sigmoid")
    m.node("Mul", [h, v], "y", "quick")
    m.output("y", ["N", 16])
    return m


@example(["attention"], "fusion", "-conv -add -act +custom",
         "Attention written out",
         "Softmax(q·kᵀ·scale + mask)·v in five nodes: one region that never writes the scores.",
         "拆开的注意力",
         "五个节点组成的 Softmax(q·kᵀ·scale + mask)·v：融合后不再把分数写回内存。")
def attention():
    m = ModelMaker("attention")
    q, k = m.input("q", [1, 2, 6, 8]), m.input("k", [1, 2, 6, 8])
    v, mask = m.input("v", [1, 2, 6, 8]), m.input("mask", [1, 1, 6, 6])
    t = m.node("Transpose", [k], "turned", "transpose", perm=[0, 1, 3, 2])
    s = m.node("MatMul", [q, t], "scores", "scores")
    s = m.node("Mul", [s, m.constant("scale", 8 ** -0.5)], "scaled", "scale_mul")
    s = m.node("Add", [s, mask], "masked", "mask_add")
    s = m.node("Softmax", [s], "weights", "softmax", axis=-1)
    m.node("MatMul", [s, v], "y", "mix")
    m.output("y", [1, 2, 6, 8])
    return m


@example(["reshape-chain", "transpose-chain", "cast-chain"], "fusion", "-shape -shape +shape",
         "Chains that undo themselves",
         "Two Reshapes, two Transposes, two Casts in a row: the last alone says it all, or "
         "nothing is left.",
         "互相抵消的链",
         "连续两个 Reshape、两个 Transpose、两个 Cast：只留最后一个即可，或者什么也不剩。")
def chains():
    m = ModelMaker("chains")
    x = m.input("x", [2, 3, 4])
    v = m.node("Reshape", [x, m.ints("flat", [2, 12])], "r1", "reshape1")
    v = m.node("Reshape", [v, m.ints("back", [2, 4, 3])], "r2", "reshape2")
    v = m.node("Transpose", [v], "t1", "transpose1", perm=[2, 0, 1])
    v = m.node("Transpose", [v], "t2", "transpose2", perm=[1, 2, 0])
    v = m.node("Cast", [v], "c1", "cast1", to=11)
    v = m.node("Cast", [v], "c2", "cast2", to=1)
    m.node("Neg", [v], "y", "neg")
    m.output("y", [2, 4, 3])
    return m


@example(["gather-to-split", "incomplete-cover"], "fusion", "-shape -shape ~add +shape",
         "Parts that make a Split",
         "Three Slices take the channels once each, so they are one Split; the two along the "
         "width leave columns out and stay.",
         "组成 Split 的各部分",
         "三个 Slice 各取一段通道，恰好取完，因此是一个 Split；沿宽度的两个漏掉了几列，保留原样。")
def gather_to_split():
    m = ModelMaker("gather_to_split")
    x = m.input("x", ["N", 6, 8])

    def part(name, axis, start, end):
        return m.node("Slice", [x, m.ints(f"{name}_start", [start]), m.ints(f"{name}_end", [end]),
                                m.ints(f"{name}_axis", [axis])], name, f"slice_{name}")
    a, b, c = part("a", 1, 0, 2), part("b", 1, 2, 4), part("c", 1, 4, 6)
    v = m.node("Mul", [a, b], "product", "mul")
    m.node("Add", [v, c], "y", "add")
    m.node("Concat", [part("right", 2, 5, 8), part("left", 2, 0, 3)], "edges", "concat", axis=2)
    m.output("y", ["N", 2, 8])
    m.output("edges", ["N", 6, 6])
    return m


@example(["slice-chain", "view-into-producer"], "fusion", "-shape -shape +shape",
         "Shapes that one operator can give",
         "Two Slices cut rows and columns where one can cut both; a mean drops an axis that is put "
         "back behind it.",
         "一个算子就能给出的形状",
         "两个 Slice 分别裁行和列，一个就能同时裁；求平均时去掉的轴，随后又被加回来。")
def shapes_in_one():
    m = ModelMaker("shapes_in_one")
    x = m.input("x", ["N", 3, 9, 9])
    v = m.node("Slice", [x, m.ints("row0", [0]), m.ints("row9", [9]), m.ints("rows", [2]),
                         m.ints("by2", [2])], "even_rows", "slice_rows")
    v = m.node("Slice", [v, m.ints("column1", [1]), m.ints("column9", [9]),
                         m.ints("columns", [3]), m.ints("by2_too", [2])], "patches",
               "slice_columns")
    v = m.node("Tanh", [v], "t", "tanh")
    v = m.node("ReduceMean", [v], "mean", "mean", axes=[1], keepdims=0)
    m.node("Unsqueeze", [v, m.ints("channel", [1])], "y", "unsqueeze")
    m.output("y", ["N", 1, 5, 4])
    return m


@example(["space-to-depth"], "fusion", "-shape -shape -shape +shape +conv",
         "The Focus of YOLO",
         "Four Slices take every second row and column; joined, they are one SpaceToDepth and the "
         "order of its channels.",
         "YOLO 的 Focus",
         "四个 Slice 各取隔行隔列的元素；合起来就是一个 SpaceToDepth，加上通道的次序。")
def focus():
    m = ModelMaker("focus")
    x = m.input("x", ["N", 3, 8, 8])
    axes, steps = m.ints("axes", [2, 3]), m.ints("steps", [2, 2])
    ends = m.ints("ends", [8, 8])
    parts = [m.node("Slice", [x, m.ints(f"start_{r}{c}", [r, c]), ends, axes, steps],
                    f"part_{r}{c}", f"slice_{r}{c}") for c in (0, 1) for r in (0, 1)]
    v = m.node("Concat", parts, "focused", "concat", axis=1)
    m.conv(v, "conv", 12, 4, output="y")
    m.output("y", ["N", 4, 4, 4])
    return m


@example(["push-transpose"], "fusion", "-shape -shape -shape ~conv",
         "Transposes on both sides of a sum",
         "Two branches are turned, added and joined, and turned back. Worked on as they lie, they need "
         "no Transpose.",
         "求和两侧的 Transpose",
         "两个分支先转置，再相加、拼接，然后转回来。若直接按原有排列计算，就不需要任何 Transpose。")
def push_transpose():
    m = ModelMaker("push_transpose")
    to, back = [0, 2, 3, 1], [0, 3, 1, 2]
    a = m.node("Transpose", [m.input("x", ["N", 3, 8, 8])], "a", "turn_x", perm=to)
    b = m.node("Transpose", [m.input("z", ["N", 3, 8, 8])], "b", "turn_z", perm=to)
    v = m.node("Add", [a, b], "sum", "add")
    v = m.node("Mul", [v, m.weight("scale", [3])], "scaled", "scale")
    v = m.node("Concat", [v, a], "joined", "concat", axis=3)
    m.node("Transpose", [v], "y", "turn_back", perm=back)
    m.output("y", ["N", 6, 8, 8])
    return m


@example(["zero-state"], "fusion", "-shape -shape +norm",
         "States that are zero",
         "The first states of the LSTM are a tensor of zeros, made to the size of the batch at each "
         "run. Left out, they are zero all the same.",
         "为零的初始状态",
         "LSTM 的初始状态是每次运行时按批大小生成的全零张量。省略之后，它们同样为零。")
def zero_state():
    m = ModelMaker("zero_state")
    x = m.input("x", [6, "N", 4])
    shape = m.node("Shape", [x], "shape", "shape")
    batch = m.node("Gather", [shape, m.ints("one", [1])], "batch", "batch")
    sizes = m.node("Concat", [m.ints("layers", [1]), batch, m.ints("hidden", [3])], "sizes", "sizes",
                   axis=0)
    h = m.node("ConstantOfShape", [sizes], "first", "first")
    w = [m.weight("W", [1, 12, 4]), m.weight("R", [1, 12, 3]), m.weight("B", [1, 24])]
    v = m.node("LSTM", [x, *w, "", h, h], ["y_all", "y_last"], "lstm", hidden_size=3)
    m.node("Relu", [v], "y", "relu")
    m.output("y", [6, 1, "N", 3])
    return m


@example(["hoist-invariant", "remove-outputs"], "fusion", "-if -shape +act",
         "What a loop never changes",
         "The loop carries a scale round and gives it back as it came: its body can read it from "
         "outside. The places of the largest cells are read by nobody.",
         "循环从不改变的值",
         "循环把缩放系数带来带去，却原样交回：循环体可以直接从外面读取。最大值所在的位置则无人读取。")
def loop_invariant():
    m = ModelMaker("loop_invariant")
    x = m.input("x", ["N", 3, 8, 8])
    k = m.weight("scale", [1, 3, 1, 1])
    v = m.node("MaxPool", [x], ["largest", "places"], "pool", kernel_shape=[2, 2],
               strides=[2, 2])
    nodes = [helper.make_node("Identity", ["go"], ["go_on"], name="go_on"),
             helper.make_node("Abs", ["b"], ["size"], name="size"),
             helper.make_node("Mul", ["a", "size"], ["scaled"], name="scaled"),
             helper.make_node("Identity", ["b"], ["same"], name="same")]
    shape = ["N", 3, 4, 4]
    body = helper.make_graph(
        nodes, "body",
        [helper.make_tensor_value_info("i", 7, []), helper.make_tensor_value_info("go", 9, []),
         helper.make_tensor_value_info("a", 1, shape),
         helper.make_tensor_value_info("b", 1, [1, 3, 1, 1])],
        [helper.make_tensor_value_info("go_on", 9, []),
         helper.make_tensor_value_info("scaled", 1, shape),
         helper.make_tensor_value_info("same", 1, [1, 3, 1, 1])])
    v = m.node("Loop", [m.constant("trips", 3, np.int64), m.constant("start", True, bool), v, k],
               ["looped", "scale_after"], "loop", body=body)
    m.node("Tanh", [v], "y", "tanh")
    m.output("y", shape)
    return m


@example(["elementwise-chain"], "fusion", "-add -act -add +add",
         "An elementwise chain",
         "Four steps on each element run as one, without writing what lies between.",
         "逐元素链",
         "对每个元素的四步运算合为一步，中间结果不再写出。")
def elementwise_chain():
    m = ModelMaker("elementwise_chain")
    x = m.input("x", ["N", 256])
    v = m.node("Mul", [x, m.constant("a", 0.7)], "v1", "mul")
    v = m.node("Exp", [v], "v2", "exp")
    v = m.node("Sub", [v, m.constant("b", 0.1)], "v3", "sub")
    m.node("Abs", [v], "y", "abs")
    m.output("y", ["N", 256])
    return m


@example(["fold-target"], "fusion", "-shape -shape -shape +shape",
         "Sizes that follow from the input",
         "The batch and the length stay open, yet the target of the Reshape needs no computing: 0 "
         "copies them.",
         "由输入决定的尺寸",
         "批次和长度保持可变，但 Reshape 的目标形状无需计算：写 0 即表示沿用输入的尺寸。")
def computed_target():
    m = ModelMaker("computed_target")
    x = m.input("x", ["N", "S", 24])
    x = m.node("Exp", [x], "e", "exp")
    sizes = []
    for axis, name in enumerate(["batch", "length"]):
        s = m.node("Shape", [x], f"{name}_shape", f"{name}_shape")
        s = m.node("Gather", [s, m.constant(f"{name}_axis", axis, np.int64)], name,
                   f"{name}_gather", axis=0)
        sizes.append(m.node("Unsqueeze", [s, m.ints(f"{name}_axes", [0])], f"{name}_1",
                            f"{name}_unsqueeze"))
    t = m.node("Concat", [*sizes, m.ints("heads", [4, 6])], "target", "concat", axis=0)
    m.node("Reshape", [x, t], "y", "reshape")
    m.output("y", ["N", "S", 4, 6])
    return m


@example(["fold-constant", "fold-shape", "remove-noop", "remove-identity", "remove-dropout",
          "remove-dead", "remove-unused", "merge-duplicates"], "fusion",
         "-shape -shape -act conv",
         "What clean-up removes",
         "A size computed at run time though it is known, equal nodes, an Identity, a Dropout at "
         "rest and a node that nobody reads.",
         "清理会去掉的东西",
         "本可预知却在运行时计算的尺寸、相同的节点、Identity、不起作用的 Dropout，以及无人读取的节点。")
def clean_up():
    m = ModelMaker("clean_up")
    x = m.input("x", [2, 3, 4])
    s = m.node("Shape", [x], "shape", "shape")
    n = m.node("Gather", [s, m.constant("first", 0, np.int64)], "rows", "gather", axis=0)
    n = m.node("Unsqueeze", [n, m.ints("axes", [0])], "rows1", "unsqueeze")
    s = m.node("Concat", [n, m.ints("rest", [-1])], "target", "concat", axis=0)
    v = m.node("Reshape", [x, s], "flat", "reshape")
    two = m.node("Add", [m.constant("one", 1.0), m.constant("one_too", 1.0)], "two", "add")
    v = m.node("Identity", [v], "same", "identity")
    a = m.node("Exp", [v], "e1", "exp1")
    b = m.node("Exp", [v], "e2", "exp2")
    a = m.node("Neg", [a], "minus", "minus")
    b = m.node("Sqrt", [b], "root", "root")
    v = m.node("Add", [a, b], "sum", "sum")
    v = m.node("Dropout", [v], "kept", "dropout")
    m.node("Tanh", [v], "unread", "dead")
    v = m.node("Mul", [v, m.constant("unit", 1.0)], "times_one", "noop")
    m.weight("unused", [3])
    m.node("Mul", [v, two], "y", "scale")
    m.output("y", [2, 12])
    return m


@example(["merge-initializers"], "fusion", "~add ~add act",
         "Equal tables",
         "Three tables with the same numbers, as a saved copy of each layer has its own: one is "
         "enough.",
         "相同的表",
         "三张数值相同的表，保存时每层各存一份：一张就够了。")
def equal_tables():
    m = ModelMaker("equal_tables")
    x = m.input("x", ["N", 16, 32])
    table = m.random.uniform(-1, 1, [16, 32])
    v = m.node("Add", [x, m.constant("layer1.positions", table)], "first", "add1")
    v = m.node("Softmax", [v], "soft1", "softmax1", axis=-1)
    v = m.node("Add", [v, m.constant("layer2.positions", table)], "second", "add2")
    v = m.node("Softmax", [v], "soft2", "softmax2", axis=-1)
    m.node("Mul", [v, m.constant("layer3.positions", table)], "y", "mul")
    m.output("y", ["N", 16, 32])
    return m


@example(["inline-function", "conv-batchnorm"], "fusion", "-custom +conv +norm",
         "A local function",
         "The call is opened first; then Conv and BatchNormalization, which stood in different "
         "functions, meet.",
         "局部函数",
         "先展开调用；原本处于不同函数中的 Conv 与 BatchNormalization 随后相遇。")
def inline_function():
    m = ModelMaker("inline_function", imports=[("layers", 1)])
    w = m.weight("weight", [4, 3, 1, 1])
    m.functions.append(helper.make_function(
        "layers", "Conv1x1", ["x", "w"], ["y"],
        [helper.make_node("Conv", ["x", "w"], ["y"], name="conv", kernel_shape=[1, 1])],
        [helper.make_opsetid("", 17)]))
    v = m.node("Conv1x1", [m.input("x", ["N", 3, 6, 6]), w], "hidden", "call", domain="layers")
    m.batchnorm(v, "bn", 4, output="y")
    m.output("y", ["N", 4, 6, 6])
    return m
