"""Small models of operators that are one with their neighbours, or nothing."""

import numpy as np
from onnx import TensorProto, numpy_helper

from model_maker import ModelMaker, example


@example(["concat-chain", "unary-chain", "where-not"], "fusion", "-shape ~shape -act -act ~act",
         "Operators that are not needed",
         "A Concat of a Concat, two Negs, a second Abs and a Not before a Where: fewer operators say "
         "the same, bit for bit.",
         "多余的算子",
         "Concat 的 Concat、两个 Neg、第二个 Abs 以及 Where 之前的 Not：更少的算子得到逐位相同的结果。")
def small_chains():
    m = ModelMaker("small_chains")
    x, z = m.input("x", ["N", 4]), m.input("z", ["N", 2])
    v = m.node("Concat", [x, z], "pair", "concat1", axis=1)
    v = m.node("Concat", [v, x], "all", "concat2", axis=1)
    v = m.node("Neg", [m.node("Neg", [v], "turned", "neg1")], "back", "neg2")
    v = m.node("Abs", [m.node("Abs", [v], "size", "abs1")], "again", "abs2")
    small = m.node("Less", [v, m.constant("limit", 0.5)], "small", "less")
    large = m.node("Not", [small], "large", "not")
    m.node("Where", [large, v, m.constant("zero", 0.0)], "y", "where")
    m.output("y", ["N", 10])
    return m


@example(["shape-source", "fill-cast"], "fusion", "-act ~shape -shape +shape add",
         "Only the shape is read",
         "The Relu has the shape of its operand, and nobody reads more of it. The ones of that shape "
         "are filled as floats at once.",
         "只读取形状",
         "Relu 的形状与其输入相同，而且没有谁读取更多内容。该形状的全一张量直接以浮点填充。")
def shape_source():
    m = ModelMaker("shape_source")
    x = m.input("x", ["N", 4])
    shape = m.node("Shape", [m.node("Relu", [x], "positive", "relu")], "shape", "shape")
    ones = m.node("ConstantOfShape", [shape], "ones", "fill",
                  value=numpy_helper.from_array(np.array([1], dtype=np.int64)))
    ones = m.node("Cast", [ones], "floats", "cast", to=TensorProto.FLOAT)
    m.node("Add", [m.node("Exp", [x], "grown", "exp"), ones], "y", "add")
    m.output("y", ["N", 4])
    return m


@example(["reshape-product", "matmul-add"], "fusion", "-shape ~conv -shape act",
         "Reshapes around a product",
         "The tokens are flattened for a Gemm and shaped back. MatMul takes them as they are, and its "
         "bias joins it.",
         "乘积前后的 Reshape",
         "词元先被展平以做 Gemm，再恢复形状。MatMul 可以直接处理它们，偏置也一并融合。")
def reshape_product():
    m = ModelMaker("reshape_product")
    x = m.input("x", ["N", 6, 8])
    v = m.node("Reshape", [x, m.ints("flat", [-1, 8])], "rows", "flatten")
    v = m.node("Gemm", [v, m.weight("weight", [8, 4]), m.weight("bias", [4])], "product", "gemm")
    v = m.node("Reshape", [v, m.ints("back", [-1, 6, 4])], "tokens", "restore")
    m.node("Softmax", [v], "y", "softmax", axis=-1)
    m.output("y", ["N", 6, 4])
    return m


@example(["quantize-chain"], "fusion", "-act -act act !act",
         "Quantized twice",
         "The second pair has the scale of the first: it gives back the same integers. The third has "
         "another scale, which would change numbers, so it stays.",
         "重复量化",
         "第二对与第一对比例相同，得到同样的整数。第三对的比例不同，数值会改变，因此保留。")
def quantize_chain():
    m = ModelMaker("quantize_chain")
    v = m.input("x", ["N", 4])
    scale, other = m.constant("scale", 0.1), m.constant("other_scale", 0.25)
    zero = m.constant("zero_point", 128, np.uint8)
    for i, s in enumerate([scale, scale, other], 1):
        v = m.node("QuantizeLinear", [v, s, zero], f"q{i}", f"quantize{i}")
        v = m.node("DequantizeLinear", [v, s, zero], "y" if i == 3 else f"d{i}", f"dequantize{i}")
    m.output("y", ["N", 4])
    return m


@example(["log-softmax", "not-finite"], "fusion", "act -norm +norm|!norm act",
         "Softmax + Log",
         "Tanh keeps the scores near each other, so LogSoftmax gives the same. Of scores of any size "
         "Softmax may make a 0, whose Log is −∞: that pair stays.",
         "Softmax + Log",
         "Tanh 使得分彼此接近，因此 LogSoftmax 的结果相同。任意大小的得分可能使 Softmax 变为 0，其 Log 为 −∞：那一对保留。")
def log_softmax():
    m = ModelMaker("log_softmax")
    scores = m.node("Gemm", [m.input("x", ["N", 8]), m.weight("weight", [8, 5])], "scores", "gemm")
    near = m.node("Tanh", [scores], "near", "tanh")
    s = m.node("Softmax", [near], "soft_near", "softmax1", axis=-1)
    m.node("Log", [s], "y", "log1")
    s = m.node("Softmax", [scores], "soft", "softmax2", axis=-1)
    m.node("Log", [s], "z", "log2")
    m.output("y", ["N", 5])
    m.output("z", ["N", 5])
    return m
