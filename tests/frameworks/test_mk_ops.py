"""Tests of mk's operators, layers and modules: compiled calls give what uncompiled ones give."""

import pathlib
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mk_programs import MkTest, Model, calls, mk, uncompiled, values

# Every operator; x is f32 [4,6], i is i64 [4,6], image is f32 [2,3,8,8].
OPERATORS = {
    "arithmetic": lambda x, i, image: [x + x, x - 2, x * 0.1, x / 3, 1 - x, 2 / x, i + 3, i * i],
    "matmul": lambda x, i, image: x @ x.transpose(0, 1),
    "unary": lambda x, i, image: [-x, abs(x), x.abs(), -i, mk.relu(i)],
    "in place": lambda x, i, image: [
        x.clone().add_(x).mul_(0.5),
        x.add_(1)[1].mul_(2),
        x,
        i.add_(1),
    ],
    "shape": lambda x, i, image: [
        x.reshape(3, -1),
        image.flatten(1),
        x.transpose(0, -1).flatten(),
        x[1:, ::2],
        x[0, 1],
        x[..., 0],
        x[:1].expand(3, 6),
    ],
    "copy": lambda x, i, image: [
        x.transpose(0, 1).contiguous(),
        x.contiguous(),
        x.clone(),
        x.repeat_interleave(2, 0),
    ],
    "reduce": lambda x, i, image: [
        x.sum(),
        x.sum(1),
        x.sum((0, -1), True),
        i.sum(),
        x.mean(0, True),
        x.amax(1),
        (i + 0).amax(),
        x.mean().sum().add_(1),
    ],
    "functions": lambda x, i, image: [mk.relu(x), mk.tanh(x), mk.sigmoid(x), mk.gelu(x), mk.sin(x)],
    "softmax": lambda x, i, image: [mk.softmax(x, 0), mk.clamp(x, -0.5, 0.5)],
    "cat": lambda x, i, image: [mk.cat([x, x], 1), *mk.chunk(x, 4, 1), *mk.chunk(x, 3, 0)],
    "pool": lambda x, i, image: mk.max_pool2d(image, 3),
    "constant": lambda x, i, image: mk.tensor([1, 2, 3, 4, 5, 6]).add_(x[0]),
    "random": lambda x, i, image: [mk.manual_seed(4), mk.Dropout(0.5)(x), mk.Dropout(0.5)(x)],
    "elementwise": lambda x, i, image: [
        *(f(x) for f in (mk.relu6, mk.selu, mk.silu, mk.mish, mk.hardtanh, mk.hardswish)),
        *(f(x) for f in (mk.softplus, mk.logsigmoid, mk.cos, mk.exp, mk.log1p, mk.sqrt)),
        *(f(x) for f in (mk.reciprocal, mk.sign, mk.floor, mk.round)),
        *(mk.leaky_relu(x, 0.1), mk.elu(x, 1.0), mk.pow(x, 1.5)),
        *(mk.cast(x, mk.float64), mk.maximum(x, -x), mk.minimum(x, 0.5)),
        *(mk.gt(x, 0), mk.lt(x, x * 2), mk.eq(i, 1), mk.lerp(x, -x, 0.25)),
        *(mk.square(i), mk.rsqrt(x), mk.remainder(x, 0.7), mk.addcmul(x, x, x), mk.to_int(x)),
        *(mk.logical_not(x), mk.where(mk.gt(x, 0), x, -x), mk.masked_fill(i, mk.gt(i, 0), 7)),
    ],
    "views": lambda x, i, image: [
        *(mk.stack(x, x, 1), mk.t(x), mk.permute(image, 3, 0, 2, 1)),
        *(mk.unsqueeze(x, -1), mk.squeeze(x[:1], 0), mk.squeeze(x, 0)),
        *(mk.select(x, 1, -1), mk.narrow(x, 0, 1, 2), mk.flip(x, 1)),
        *(mk.split_size(x, 4, 1, 1), mk.movedim(image, 0, -1), mk.tile(x, 2), mk.tile(x, 0)),
        *(mk.diagonal(x, 1), mk.unfold(x, 1, 3, 2)),
        *(mk.roll(x, 5, 0), mk.tril(x), mk.pad(x, 1, 2), mk.detach(x), x.size),
    ],
    "reductions": lambda x, i, image: [
        *(f(x, (0,), True) for f in (mk.amin, mk.var, mk.norm, mk.logsumexp)),
        *(f(x, None, False) for f in (mk.amin, mk.var, mk.norm, mk.logsumexp)),
        *(f(x, 1) for f in (mk.argmax, mk.argmin, mk.max, mk.std, mk.prod, mk.any, mk.all)),
        *(mk.cosine_similarity(x, -x, 1), mk.cdist(x, x)),
        *(f(x, 0) for f in (mk.cumsum, mk.cumprod, mk.sort, mk.diff, mk.log_softmax, mk.glu)),
        *(mk.topk(x, 2, 1), mk.outer(x, x), mk.cross_entropy(x, i[:, 0]), mk.mse_loss(x, -x)),
    ],
    "indexing": lambda x, i, image: [
        *(mk.gather_rows(x, i), mk.gather(x, 1, i[:, :3]), mk.scatter_add(x, 1, i, x)),
        *(mk.index_select(x, 1, i[0]), mk.index_add(x, 0, i[0], mk.tile(x, 2)[:6])),
        *(mk.one_hot(i, 3), mk.checked_index(x, i[:2] * 0)),
    ],
    "factories": lambda x, i, image: [
        *(mk.ones(2, 3), mk.new_zeros(i, 3), mk.zeros(3), mk.full(2, 1.5), mk.eye(2), mk.arange(4)),
        *(mk.zeros_like(x), mk.full_like(x, 2), mk.manual_seed(4), mk.rand_like(x)),
    ],
    "more in place": lambda x, i, image: [
        *(
            mk.sub_(x, 1),
            mk.clamp_(x, -1.5, 2.0),
            mk.relu_(x),
            mk.fill_row(x, 1.5),
            mk.copy_(x[1:], x[0]),
            x,
        ),
    ],
    "numbers": lambda x, i, image: (x, {"n": x.shape[0], "none": None}, [x.ndim, (x * 2, 1.5)]),
}


def operator_inputs():
    return values(4, 6), values(4, 6, dtype=mk.int64), values(2, 3, 8, 8)


class OpsTest(MkTest):
    def test_operators_agree_traced_and_replayed(self):
        for name, fn in OPERATORS.items():
            with self.subTest(name):
                self.assertSound(calls(fn, *[operator_inputs] * 3), "compiled", "reused", "reused")

    def test_layers_agree_and_move_their_buffers_on_replay(self):
        for make, shape in (
            (lambda: mk.Linear(4, 2), (3, 4)),
            (lambda: mk.LayerNorm(5), (2, 5)),
            (lambda: mk.Conv2d(2, 4, 3, stride=2, padding=1), (2, 2, 7, 6)),
            (lambda: mk.BatchNorm(3), (4, 3, 2, 2)),
            (lambda: mk.Dropout(0.3), (50,)),
        ):

            def program(wrap, make=make, shape=shape):
                mk.manual_seed(3)
                layer = make()
                f = wrap(layer)
                for seed in (1, 2, 3):  # no new seed for dropout: each call draws on
                    yield [f(values(*shape, seed=seed)), *(t for _, t in layer.named_state())]

            with self.subTest(make()):
                self.assertSound(program, "compiled", "reused", "reused")
                shown = uncompiled(program)
                self.assertNotEqual(shown[1], shown[2])

    def test_conv_and_pool_by_hand(self):
        conv, x = mk.Conv2d(1, 1, 2, padding=1), values(1, 1, 3, 3)
        out = conv(x).numpy()
        self.assertEqual(out.shape, (1, 1, 4, 4))
        w, b = conv.weight.numpy(), conv.bias.numpy()
        self.assertAlmostEqual(out[0, 0, 1, 1], (x.numpy()[0, 0, :2, :2] * w).sum() + b[0], 4)
        self.assertAlmostEqual(out[0, 0, 0, 0], x.numpy()[0, 0, 0, 0] * w[0, 0, 1, 1] + b[0], 4)
        pooled = mk.max_pool2d(x, 2).numpy()
        self.assertEqual(pooled.tolist(), [[[[x.numpy()[0, 0, :2, :2].max()]]]])
        self.assertEqual([len(c.numpy()) for c in mk.chunk(values(5), 3)], [2, 2, 1])

    def test_functions_by_hand(self):
        x, ids = mk.tensor([[1.0, -2.0], [3.0, 4.0]]), mk.tensor([[3, 0]], mk.int64)
        shown = {
            "gather": (mk.gather(x, 1, ids), [[-2.0, 1.0]]),
            "scatter_add": (mk.scatter_add(x, 1, ids, x[:1]), [[-1.0, -1.0], [3.0, 4.0]]),
            "glu": (mk.glu(x * 0 + 0.0, 1), [[0.0], [0.0]]),
            "topk": (mk.topk(x, 1, 1), [[1.0], [4.0]]),
            "var": (mk.var(x, 1, False), [4.5, 0.5]),
            "pad": (mk.pad(x, 1, 0), [[0.0, 1.0, -2.0], [0.0, 3.0, 4.0]]),
            "logsumexp": (mk.logsumexp(x * 0 + 1.0, None, False), 1 + np.log(np.float32(4))),
        }
        for name, (got, want) in shown.items():
            with self.subTest(name):
                np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)
        for make in (mk.exp, mk.softplus, mk.mish, lambda x: mk.elu(x, 1.5)):
            self.assertEqual(make(x).dtype, mk.float32)
        with self.assertRaises(IndexError):
            mk.checked_index(x, ids)

    def test_results_keep_identity_and_share_memory(self):
        f = mk.compile(lambda x, pair: (x, x[1:], [y := x * 2, y], pair))
        for _ in range(2):
            x, given = values(3), [1, 2]
            same, view, (a, b), back = f(x, given)
            self.assertTrue(same is x and a is b and back is given)
            self.assertTrue(np.shares_memory(view.data, x.data))
        self.assertEqual(mk.last_event(), "reused")

    def test_modules_list_their_state(self):
        m = Model()
        self.assertEqual([n for n, _ in m.named_modules()], ["", "norm", "drop", "inner"])
        self.assertEqual(
            [n for n, _ in m.named_state()],
            [
                "norm.weight",
                "norm.bias",
                "norm.running_mean",
                "norm.running_var",
                "inner.weight",
                "inner.bias",
                "seen",
            ],
        )
        self.assertEqual(len(list(m.parameters())), 4)
        self.assertFalse(m.eval().norm.training)


if __name__ == "__main__":
    unittest.main()
