"""What TorchDynamo does in ways of its own: polyfills, higher-order operators, graph breaks, modes,
transforms, generators, recompiles, an exception out of compiled code, a module whose state
changes."""

import itertools
from collections import OrderedDict

import torch
from torch.func import grad, jacrev, vmap


def compiled(function, backend="eager"):
    return torch.compile(function, backend=backend)


x = torch.linspace(-1, 2, 12).reshape(3, 4)


def transforms(x):
    return vmap(grad(lambda t: (t * t).sum()))(x) + jacrev(lambda t: t.sin().sum())(x)


def polyfills(x):
    total = x
    for a, b in itertools.product([1, 2], [3, 4]):
        total = total + a * b
    named = OrderedDict(a=total, b=x)
    return sum(named.values()) + len(list(itertools.chain([1], [2])))


def condition(x):
    return torch.cond(x.sum() > 0, lambda t: t.sin(), lambda t: t.cos(), (x,))


def checkpointed(x):
    return torch.utils.checkpoint.checkpoint(lambda t: t.relu() * 2, x, use_reentrant=False)


def modes(x):
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x.t()


@torch.compiler.disable
def opaque(x):
    return x + 1


def broken(x):
    y = opaque(x.relu())
    print(end="")
    return y * 2


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0]


def generated(x):
    def numbers():
        for i in range(3):
            yield x * i

    return sum(numbers())


def failing(x):
    raise ValueError("on purpose")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.scale = 1.5
        torch.nn.init.constant_(self.linear.weight, 0.5)

    def forward(self, x):
        if self.training:
            return self.linear(x) * self.scale
        return self.linear(x) - self.scale


for function in (transforms, polyfills, condition, checkpointed, modes, broken, generated):
    for backend in ("eager", "aot_eager"):
        compiled(function, backend)(x)
compiled(Square.apply, "aot_eager")(x.clone().requires_grad_()).sum().backward()

model = Model()
call = compiled(model, "aot_eager")
for size in (3, 5, 7):
    call(torch.ones(size, 4)).sum().backward()
model.scale = 2.5
call(x)
model.eval()
call(x)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
step = compiled(optimizer.step)
step()
compiled(failing)(x)
