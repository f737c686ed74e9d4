"""A small builder of ONNX models: nodes in order, seeded weights, one file at the end."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT

# What example() has gathered, in order.
EXAMPLES = []


def example(topics, kind, layout, title, text, title_zh, text_zh):
    """Marks a function that makes an example. `topics` are ids of rules and reasons, `kind` is
    fusion, blocked or kept, `layout` the cards of the thumbnail, top to bottom: conv, norm, act,
    pool, shape, add, reduce, if, custom, with - gone, + new, ~ changed, ! blocked before them; a |
    stands between those side by side."""
    def add(make):
        EXAMPLES.append({"make": make, "topics": topics, "kind": kind, "layout": layout,
                         "title": {"en": title, "zh_CN": title_zh},
                         "text": {"en": text, "zh_CN": text_zh}})
        return make
    return add


class ModelMaker:
    def __init__(self, name, opset=17, ir=8, seed=7, imports=()):
        self.name = name
        self.opset = opset
        self.ir = ir
        self.random = np.random.default_rng(seed)
        self.imports = list(imports)
        self.nodes, self.inputs, self.outputs, self.initializers = [], [], [], []
        self.infos, self.functions = [], []

    def input(self, name, shape, dtype=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, name, shape, dtype=FLOAT):
        self.outputs.append(helper.make_tensor_value_info(name, dtype, shape))

    def constant(self, name, array, dtype=np.float32):
        array = np.asarray(array) if dtype is None else np.asarray(array, dtype=dtype)
        self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def ints(self, name, values):
        return self.constant(name, values, np.int64)

    def weight(self, name, shape, scale=None):
        fan = int(np.prod(shape[1:])) if len(shape) > 1 else 1
        scale = scale if scale is not None else 1.0 / np.sqrt(fan)
        return self.constant(name, self.random.uniform(-1, 1, shape) * scale)

    def node(self, op, inputs, output, name=None, domain="", **attributes):
        outputs = [output] if isinstance(output, str) else list(output)
        name = name if name is not None else (outputs[0] if outputs else op.lower())
        self.nodes.append(helper.make_node(op, list(inputs), outputs, name=name, domain=domain,
                                           **attributes))
        return outputs[0] if outputs else None

    def conv(self, data, name, channels_in, channels_out, kernel=3, bias=False, output=None,
             **attributes):
        ins = [data, self.weight(name + ".weight", [channels_out,
                                                    channels_in // attributes.get("group", 1),
                                                    kernel, kernel])]
        if bias:
            ins.append(self.weight(name + ".bias", [channels_out], 0.2))
        attributes.setdefault("pads", [kernel // 2] * 4)
        return self.node("Conv", ins, output or name + "_out", name,
                         kernel_shape=[kernel, kernel], **attributes)

    def batchnorm(self, data, name, channels, output=None, **attributes):
        ins = [data,
               self.constant(name + ".scale", self.random.uniform(0.5, 1.5, channels)),
               self.constant(name + ".bias", self.random.uniform(-0.5, 0.5, channels)),
               self.constant(name + ".mean", self.random.uniform(-0.5, 0.5, channels)),
               self.constant(name + ".var", self.random.uniform(0.5, 1.5, channels))]
        return self.node("BatchNormalization", ins, output or name + "_out", name, **attributes)

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs,
                                  self.initializers, value_info=self.infos)
        opsets = [helper.make_opsetid("", self.opset)]
        opsets += [helper.make_opsetid(domain, version) for domain, version in self.imports]
        model = helper.make_model(graph, opset_imports=opsets, functions=self.functions,
                                  producer_name="fusescope examples", producer_version="1")
        model.ir_version = self.ir
        return model

    def save(self, path):
        with open(path, "wb") as file:
            file.write(self.model().SerializeToString(deterministic=True))
