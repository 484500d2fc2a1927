"""Functions of flag-gems that torch has no operator for, against the same formula in torch."""
import math

import torch
import torch.nn.functional as F

from operators_draw import FLOATS
from operators_table import case, gems


@gems("silu_and_mul", lambda x, y: F.silu(x) * y)
@gems("gelu_and_mul", lambda x, y: F.gelu(x) * y)
def _gated(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), draw.normal((17, 130), dtype))


def _halves(x):
    return x.chunk(2, -1)


@gems("geglu", lambda x: F.gelu(_halves(x)[0], approximate="tanh") * _halves(x)[1])
@gems("reglu", lambda x: F.relu(_halves(x)[0]) * _halves(x)[1])
@gems("swiglu", lambda x: F.silu(_halves(x)[0]) * _halves(x)[1])
def _gated_halves(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 260), dtype))


def _gradient_of(function):
    def run(gradient, x):
        with torch.enable_grad():
            leaf = x.detach().clone().requires_grad_()
            return torch.autograd.grad(function(leaf), leaf, gradient)[0]
    return run


@gems("dgeglu", _gradient_of(lambda x: F.gelu(_halves(x)[0], approximate="tanh") * _halves(x)[1]))
@gems("dreglu", _gradient_of(lambda x: F.relu(_halves(x)[0]) * _halves(x)[1]))
@gems("dswiglu", _gradient_of(lambda x: F.silu(_halves(x)[0]) * _halves(x)[1]))
def _gated_gradients(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), draw.normal((17, 260), dtype))


def _rms(x, weight, eps):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weight


@gems("rmsnorm", _rms, terms=10)
def _rmsnorm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), draw.normal((130,), dtype), 1e-6)


def _add_and_normalize(x, residual, shape, weight, eps):
    residual.copy_(x + residual)
    x.copy_(_rms(residual, weight, eps))
    return x, residual


@gems("fused_add_rms_norm", _add_and_normalize, terms=10)
def _fused_add_rms_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), draw.normal((17, 130), dtype), [130], draw.normal((130,), dtype), 1e-5)


@gems("skip_layer_norm", lambda x, r, shape, w, b: F.layer_norm(x + r, shape, w, b), terms=10)
def _skip_layer_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), draw.normal((17, 130), dtype), [130], draw.normal((130,), dtype),
                   draw.normal((130,), dtype))


@gems("instance_norm", lambda x, w, b: F.instance_norm(x, None, None, w, b), terms=10)
def _instance_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((3, 6, 9, 11), dtype), draw.normal((6,), dtype), draw.normal((6,), dtype))


@gems("weight_norm", lambda v, g, dim: torch._weight_norm(v, g, dim), terms=10)
def _weight_norm(draw):
    yield case(draw.normal((17, 130)), draw.uniform((17, 1), low=0.5), 0)


@gems("cross_entropy_loss", lambda x, target, weight, reduction, ignored, smoothing: F.cross_entropy(
    x, target, weight, reduction=reduction, ignore_index=ignored, label_smoothing=smoothing), terms=40)
def _cross_entropy(draw):
    target = draw.integers((40,), torch.int64, 0, 130)
    for reduction in ("mean", "sum", "none"):
        yield case(draw.normal((40, 130)), target, None, reduction, int(target[0]), 0.0)
    yield case(draw.normal((40, 130)), target, draw.uniform((130,), low=0.5), "mean", -100, 0.1)


@gems("outer", torch.outer)
def _outer(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33,), dtype), draw.normal((70,), dtype))


def _sum_experts(x, out):
    out.copy_(x.sum(1))


@gems("moe_sum", _sum_experts, terms=10)
def _moe_sum(draw):
    for dtype in FLOATS:
        yield case(draw.normal((9, 4, 130), dtype), torch.zeros((9, 130), dtype=dtype))


def _penalize(logits, prompt, output, penalties):
    penalty = torch.where(prompt | output, penalties[:, None], 1.0)
    logits.copy_(torch.where(logits > 0, logits / penalty, logits * penalty))


@gems("apply_repetition_penalties", _penalize)
def _repetition_penalties(draw):
    yield case(draw.normal((5, 1000)), draw.bools((5, 1000)), draw.bools((5, 1000)), draw.uniform((5,), low=1.0, high=2.0))


def _rotate(x, cos, sin, is_interleaved):
    cos, sin = cos[:, :, None], sin[:, :, None]
    if is_interleaved:
        pairs = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
        return x * cos.repeat_interleave(2, -1) + pairs * sin.repeat_interleave(2, -1)
    first, second = x.chunk(2, -1)
    return x * torch.cat((cos, cos), -1) + torch.cat((-second, first), -1) * torch.cat((sin, sin), -1)


@gems("apply_rotary_pos_emb", lambda q, k, cos, sin, positions, is_interleaved: (
    _rotate(q, cos[positions], sin[positions], is_interleaved), _rotate(k, cos[positions], sin[positions], is_interleaved)))
def _rotary(draw):
    angle = draw.uniform((50, 32), low=-math.pi, high=math.pi)
    for is_interleaved in (False, True):
        yield case(draw.normal((2, 7, 4, 64)), draw.normal((2, 7, 2, 64)), angle.cos(), angle.sin(),
                   draw.integers((2, 7), torch.int64, 0, 50), is_interleaved)


def _cache_pages(key, value, keys, values, slots, *_):
    for token, slot in enumerate(slots.tolist()):
        if slot >= 0:
            keys[slot // keys.shape[1], slot % keys.shape[1]] = key[token]
            values[slot // keys.shape[1], slot % keys.shape[1]] = value[token]


@gems("reshape_and_cache_flash", _cache_pages, widen=False)
def _reshape_and_cache_flash(draw):
    slots = draw.permutation(48)[:9]
    slots[2] = -1
    yield case(draw.normal((9, 4, 32)), draw.normal((9, 4, 32)), draw.normal((6, 8, 4, 32)), draw.normal((6, 8, 4, 32)), slots,
               "auto", torch.tensor(1.0), torch.tensor(1.0))


def _cache_blocks(key, value, keys, values, slots, *_):
    block, width = keys.shape[3], keys.shape[4]
    for token, slot in enumerate(slots.tolist()):
        keys[slot // block, :, :, slot % block] = key[token].reshape(key.shape[1], -1, width)
        values[slot // block, :, :, slot % block] = value[token]


@gems("reshape_and_cache", _cache_blocks, widen=False)
def _reshape_and_cache(draw):
    yield case(draw.normal((9, 4, 32)), draw.normal((9, 4, 32)), draw.normal((6, 4, 8, 8, 4)), draw.normal((6, 4, 32, 8)),
               draw.permutation(48)[:9], "auto", torch.tensor(1.0), torch.tensor(1.0))


def _cache_latent(latent, rotary, cache, slots, *_):
    for token, slot in enumerate(slots.tolist()):
        cache[slot // cache.shape[1], slot % cache.shape[1]] = torch.cat((latent[token], rotary[token]))


@gems("concat_and_cache_mla", _cache_latent, widen=False)
def _concat_and_cache(draw):
    yield case(draw.normal((9, 64)), draw.normal((9, 16)), draw.normal((6, 8, 80)), draw.permutation(48)[:9], "auto",
               torch.tensor(1.0))


def _top_experts(weights, indices, rows, logits):
    values, chosen = torch.softmax(logits, -1).topk(weights.shape[1])
    weights.copy_(values)
    indices.copy_(chosen)
    rows.copy_(torch.arange(weights.shape[1])[None] * weights.shape[0] + torch.arange(weights.shape[0])[:, None])


@gems("topk_softmax", _top_experts)
def _topk_softmax(draw):
    yield case(torch.zeros((9, 2)), torch.zeros((9, 2), dtype=torch.int32), torch.zeros((9, 2), dtype=torch.int32),
               draw.normal((9, 16)))


@gems("scaled_dot_product_attention", lambda q, k, v, is_causal: F.scaled_dot_product_attention(q, k, v, is_causal=is_causal),
      terms=64)
def _attention(draw):
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        for is_causal in (False, True):
            yield case(draw.normal((2, 3, 100, 64), dtype), draw.normal((2, 3, 100, 64), dtype), draw.normal((2, 3, 100, 64), dtype),
                       is_causal=is_causal)


@gems("scaled_softmax_forward", lambda x, scale: torch.softmax(x * scale, -1))
def _scaled_softmax(draw):
    for dtype in (torch.float16, torch.bfloat16):
        yield case(draw.normal((2, 3, 17, 136), dtype), 0.5)


def _scaled_softmax_gradient(gradient, output, scale):
    return scale * output * (gradient - (gradient * output).sum(-1, keepdim=True))


@gems("scaled_softmax_backward", _scaled_softmax_gradient)
def _scaled_softmax_backward(draw):
    for dtype in (torch.float16, torch.bfloat16):
        yield case(draw.normal((2, 3, 17, 136), dtype), torch.softmax(draw.normal((2, 3, 17, 136)), -1).to(dtype), 0.5)


@gems("rwkv_mm_sparsity", lambda k, v: k @ v, terms=512)
def _sparse_product(draw):
    yield case(torch.relu(draw.normal((512,))), draw.normal((512, 64)))
