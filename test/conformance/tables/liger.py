"""Functions of liger-kernel, forward and backward, against the same formula in torch with autograd.

The tolerances are those of the library's own tests (`test/transformers` of its source distribution), but for two that it
judges in another way: LigerMLPFunction, by the angle between results, and GrpoLossFunction, in bf16 only; 1e-4 there.
"""
import math

import torch
import torch.nn.functional as F

from operators_judge import by_type
from operators_table import OPERATORS, Operator, case

#: (absolute, relative) for fp32 and for bf16, where the library tests it.
_NORM, _ROTATION = ((1e-4, 1e-6), (2e-1, 2e-2)), ((1e-5, 1e-5), (1e-1, 1e-5))
_LOSS, _FUSED_LOSS = ((1e-8, 1e-6), (1e-8, 5e-2)), ((1e-5, 5e-4), (5e-3, 5e-2))
_TOLERANCES = {
    "LigerGELUMulFunction": ((1e-5, 1e-5), (1e-2, 1e-2)),
    "LigerSiLUMulFunction": ((1e-5, 1e-5), (1e-2, 1e-2)),
    "LigerFusedGateUpSiLUMulFunction": ((2e-4, 1e-4), (1e-2, 1e-2)),
    "LigerReLUSquaredFunction": ((1e-5, 1e-5), (1e-1, 5e-2)),
    "LigerSoftmaxFunction": ((1e-5, 1e-5), (5e-2, 5e-2)),
    "LigerLayerNormFunction": ((1e-5, 1e-5), (2e-2, 2e-2)),
    "LigerRMSNormFunction": _NORM,
    "LigerFusedAddRMSNormFunction": _NORM,
    "LigerModulatedRMSNormFunction": _NORM,
    "LigerGroupNormFunction": ((1e-4, 1e-4), ),
    "LigerPolyNormFunction": _NORM,
    "LigerDyTFunction": ((1e-5, 1e-5), ),
    "LigerSparsemaxFunction": ((1e-5, 1e-5), ),
    "LigerCrossEntropyFunction": _LOSS,
    "LigerFusedLinearCrossEntropyFunction": _FUSED_LOSS,
    "LigerJSDFunction": ((1e-7, 1e-6), (1e-7, 5e-2)),
    "LigerKLDivLossFunction": _LOSS,
    "LigerTVDLossFunction": _LOSS,
    "LigerFusedLinearJSDFunction": _FUSED_LOSS,
    "LigerFusedLinearKLDivFunction": _FUSED_LOSS,
    "LigerFusedCETVDFunction": ((1e-5, 1e-5), ),
    "LigerRopeFunction": _ROTATION,
    "LigerQwen2VLMRopeFunction": _ROTATION,
    "LigerLlama4RopeFunction": _ROTATION,
    "LigerEmbeddingFunction": ((1e-6, 1e-5), ),
    "LigerAttnResFunction": ((1e-4, 1e-5), ),
    "LigerMHCPreFunction": ((5e-4, 5e-4), ),
    "LigerMHCPostResFunction": ((5e-4, 5e-4), ),
    "LigerFusedMoEFunction": ((1e-3, 1e-4), (1e-1, 1e-2)),
    "LigerMultiTokenAttentionFunction": ((1e-4, 1e-4), ),
    "LigerMLPFunction": ((1e-4, 1e-4), ),
}
_TYPES = (torch.float32, torch.bfloat16)


def _with_gradients(function):
    """`function` giving its results and the gradients of its floating-point arguments, for one fixed upstream gradient."""
    def run(*args, **kwargs):
        with torch.enable_grad():
            leaves = [value.detach().clone().requires_grad_() if _is_float(value) else value for value in args]
            # Products with one: the library may overwrite its inputs, leaves may not be overwritten.
            results = function(*[leaf * 1 if _is_float(leaf) else leaf for leaf in leaves], **kwargs)
            results = [result for result in (results if isinstance(results, tuple) else (results,)) if result is not None]
            outputs = [result for result in results if result.requires_grad]
            # The results' values before a backward pass that may reuse their memory.
            values = [result.detach().clone() for result in results]
            upstream = [torch.cos(torch.arange(o.numel(), dtype=torch.float64)).reshape(o.shape).to(o) for o in outputs]
            gradients = torch.autograd.grad(outputs, [leaf for leaf in leaves if _is_float(leaf)], upstream, allow_unused=True)
        return values + [gradient for gradient in gradients if gradient is not None]
    return run


def _is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _liger(name, expected, widen=True, gradients=True):
    """Decorator of a case generator: a row for a function class of the library."""
    tolerance = by_type(dict(zip((torch.float32, torch.bfloat16), _TOLERANCES[name])))

    def register(cases):
        def function(module):
            apply = getattr(module, name).apply
            return _with_gradients(apply) if gradients else apply

        OPERATORS.append(Operator("liger_kernel.ops", name, cases, function,
                                  _with_gradients(expected) if gradients else expected, widen=widen, tolerance=tolerance))
        return cases
    return register


@_liger("LigerGELUMulFunction", lambda a, b: F.gelu(a, approximate="tanh") * b)
@_liger("LigerSiLUMulFunction", lambda a, b: F.silu(a) * b)
def _gated(draw):
    for dtype in _TYPES:
        yield case(draw.normal((2, 5, 130), dtype), draw.normal((2, 5, 130), dtype))


def _gate_and_up(y):
    gate, up = y.chunk(2, -1)
    return F.silu(gate) * up


@_liger("LigerReLUSquaredFunction", lambda y: torch.relu(y)**2)
@_liger("LigerSoftmaxFunction", lambda y: torch.softmax(y, -1))
def _rows(draw):
    for dtype in _TYPES:
        yield case(draw.normal((2, 5, 256), dtype))
        yield case(draw.normal((4, 100), dtype))


@_liger("LigerFusedGateUpSiLUMulFunction", _gate_and_up)
def _gate_up_rows(draw):
    for dtype in _TYPES:
        yield case(draw.normal((10, 256), dtype))


@_liger("LigerLayerNormFunction", lambda x, w, b, eps: F.layer_norm(x, x.shape[-1:], w, b, eps))
def _layer_norm(draw):
    for dtype in _TYPES:
        yield case(draw.normal((2, 5, 130), dtype), draw.normal((130,), dtype), draw.normal((130,), dtype), 1e-6)


def _rms_norm_formula(x, w, eps, offset=0.0, casting_mode="llama", in_place=True):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * (w + offset)


@_liger("LigerRMSNormFunction", _rms_norm_formula)
def _rms_norm(draw):
    for dtype in _TYPES:
        for offset, mode in ((0.0, "llama"), (1.0, "gemma"), (0.0, "none")):
            yield case(draw.normal((2, 5, 130), dtype), draw.normal((130,), dtype), 1e-6, offset, mode)


@_liger("LigerFusedAddRMSNormFunction", lambda x, r, w, eps, *rest: (_rms_norm_formula(x + r, w, eps, *rest), x + r))
def _fused_add_rms_norm(draw):
    for mode in ("llama", "gemma"):
        yield case(draw.normal((2, 5, 130)), draw.normal((2, 5, 130)), draw.normal((130,)), 1e-6, 0.0, mode)


def _modulated(x, w, scale, shift, eps):
    normalized = _rms_norm_formula(x, w, eps)
    return normalized * (1 + scale[:, None]) + shift[:, None]


@_liger("LigerModulatedRMSNormFunction", _modulated)
def _modulated_rms_norm(draw):
    yield case(draw.normal((2, 5, 130)), draw.normal((130,)), draw.normal((2, 130)), draw.normal((2, 130)), 1e-6)


@_liger("LigerGroupNormFunction", lambda x, w, b, channels, groups, eps: F.group_norm(
    x.flatten(2), groups, w, b, eps).reshape(x.shape))
def _group_norm(draw):
    yield case(draw.normal((2, 6, 40)), draw.normal((6,)), draw.normal((6,)), 6, 3, 1e-6)


def _poly_norm_formula(x, w, b, eps):
    normalized = [x**power * torch.rsqrt((x**(2 * power)).mean(-1, keepdim=True) + eps) for power in (3, 2, 1)]
    return w[0] * normalized[0] + w[1] * normalized[1] + w[2] * normalized[2] + b


@_liger("LigerPolyNormFunction", _poly_norm_formula)
def _poly_norm(draw):
    yield case(draw.normal((6, 130)), draw.normal((3,)), draw.normal(()), 1e-6)


@_liger("LigerDyTFunction", lambda x, alpha, gamma, beta: gamma * torch.tanh(alpha * x) + beta)
def _dynamic_tanh(draw):
    yield case(draw.normal((2, 5, 130)), draw.normal((1,)), draw.normal((130,)), draw.normal((130,)))


def _sparsemax_formula(x, dim):
    ordered = torch.sort(x, dim, descending=True).values
    rank = torch.arange(1, x.shape[dim] + 1, dtype=x.dtype)
    sums = ordered.cumsum(dim)
    support = ((1 + rank * ordered) > sums).sum(dim, keepdim=True)
    threshold = (sums.gather(dim, support - 1) - 1) / support
    return torch.relu(x - threshold)


@_liger("LigerSparsemaxFunction", _sparsemax_formula)
def _sparsemax(draw):
    yield case(draw.normal((6, 130)), -1)


def _cross_entropy_formula(x, target, weight=None, ignore_index=-100, lse_square_scale=0.0, label_smoothing=0.0,
                           reduction="mean", softcap=None):
    if softcap is not None:
        x = softcap * torch.tanh(x / softcap)
    weight = None if weight is None else weight.detach().to(x.dtype)
    loss = F.cross_entropy(x, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)
    kept = target != ignore_index
    extra = lse_square_scale * (torch.logsumexp(x, -1)**2)[kept].sum()
    return loss + (extra / kept.sum() if reduction == "mean" else extra)


@_liger("LigerCrossEntropyFunction", _cross_entropy_formula)
def _cross_entropy(draw):
    target = draw.integers((12,), torch.int64, 0, 130)
    target[3] = -100
    for options in ({}, {"reduction": "sum"}, {"label_smoothing": 0.1}, {"softcap": 3.0}, {"lse_square_scale": 1e-2}):
        defaults = {"ignore_index": -100, "lse_square_scale": 0.0, "label_smoothing": 0.0, "reduction": "mean", "softcap": None}
        yield case(draw.normal((12, 130)), target, None, *{**defaults, **options}.values())
    yield case(draw.normal((12, 130)), target, draw.uniform((130,), low=0.5), -100, 0.0, 0.0, "mean", None)


@_liger("LigerFusedLinearCrossEntropyFunction", lambda x, w, target: F.cross_entropy(x @ w.T, target))
def _fused_linear_cross_entropy(draw):
    yield case(draw.normal((12, 40)), draw.normal((130, 40)), draw.integers((12,), torch.int64, 0, 130))


def _divergence(student, teacher, labels=None, beta=0.5):
    p, q = teacher.exp(), student.exp()
    if beta == 0.0:
        return (p * (teacher - student)).sum() / student.shape[0]
    if beta == 1.0:
        return (q * (student - teacher)).sum() / student.shape[0]
    middle = beta * p + (1 - beta) * q
    terms = beta * p * (teacher - middle.log()) + (1 - beta) * q * (student - middle.log())
    return terms.sum() / student.shape[0]


def _first_gradient_only(function):
    """The teacher of a distillation loss is a constant."""
    return lambda x, y, *rest: function(x, y.detach(), *rest)


@_liger("LigerJSDFunction", _first_gradient_only(_divergence))
def _jsd(draw):
    for beta in (0.5, 0.1, 0.0, 1.0):
        yield case(torch.log_softmax(draw.normal((12, 130)), -1), torch.log_softmax(draw.normal((12, 130)), -1), None, beta)


@_liger("LigerKLDivLossFunction", _first_gradient_only(lambda x, y, reduction, is_log: F.kl_div(
    x, y, reduction=reduction, log_target=is_log)))
def _kl_div(draw):
    x = torch.log_softmax(draw.normal((12, 130)), -1)
    for reduction in ("batchmean", "sum", "mean", "none"):
        yield case(x, torch.softmax(draw.normal((12, 130)), -1), reduction, False)
    yield case(x, torch.log_softmax(draw.normal((12, 130)), -1), "batchmean", True)


@_liger("LigerTVDLossFunction", _first_gradient_only(lambda p, q, labels, reduction: 0.5 * (
    (p - q).abs().sum() / {"batchmean": p.shape[0], "sum": 1, "mean": p.numel()}[reduction])))
def _tvd(draw):
    for reduction in ("batchmean", "sum", "mean"):
        yield case(torch.softmax(draw.normal((12, 130)), -1), torch.softmax(draw.normal((12, 130)), -1), None, reduction)


@_liger("LigerFusedLinearJSDFunction", lambda x, w, y, v: _divergence(
    torch.log_softmax(x @ w.T, -1), torch.log_softmax(y.detach() @ v.detach().T, -1)))
def _fused_linear_jsd(draw):
    yield case(draw.normal((12, 40)), draw.normal((130, 40)), draw.normal((12, 30)), draw.normal((130, 30)))


@_liger("LigerFusedLinearKLDivFunction", lambda x, w, target: F.kl_div(
    torch.log_softmax(x @ w.T, -1), target.detach(), reduction="batchmean"))
def _fused_linear_kl_div(draw):
    yield case(draw.normal((12, 40)), draw.normal((130, 40)), torch.softmax(draw.normal((12, 130)), -1))


def _ce_and_distance(student, teacher, target):
    distance = 0.5 * (torch.softmax(student, -1) - torch.softmax(teacher.detach(), -1)).abs().sum(-1)
    return F.cross_entropy(student, target, reduction="none"), distance


@_liger("LigerFusedCETVDFunction", _ce_and_distance)
def _fused_ce_tvd(draw):
    yield case(draw.normal((12, 130)), draw.normal((12, 130)), draw.integers((12,), torch.int64, 0, 130))


def _rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


def _angles(draw, positions, width, dtype=torch.float32):
    angle = draw.uniform((*positions, width // 2), torch.float64, -math.pi, math.pi)
    doubled = torch.cat((angle, angle), -1)
    return doubled.cos().to(dtype), doubled.sin().to(dtype)


@_liger("LigerRopeFunction", lambda q, k, cos, sin: (_rotate(q, cos.detach()[:, None], sin.detach()[:, None]),
                                                     _rotate(k, cos.detach()[:, None], sin.detach()[:, None])))
def _rope(draw):
    for dtype in _TYPES:
        cos, sin = _angles(draw, (1, 7), 64, dtype)
        yield case(draw.normal((2, 4, 7, 64), dtype), draw.normal((2, 2, 7, 64), dtype), cos, sin)


def _multimodal(table, sections):
    parts = table.detach().split(list(sections) * 2, -1)
    return torch.cat([part[index % 3] for index, part in enumerate(parts)], -1)[:, None]


@_liger("LigerQwen2VLMRopeFunction", lambda q, k, cos, sin, sections: (
    _rotate(q, _multimodal(cos, sections), _multimodal(sin, sections)),
    _rotate(k, _multimodal(cos, sections), _multimodal(sin, sections))))
def _multimodal_rope(draw):
    cos, sin = _angles(draw, (3, 2, 7), 64)
    yield case(draw.normal((2, 4, 7, 64)), draw.normal((2, 2, 7, 64)), cos, sin, [8, 12, 12])


def _complex_rotation(x, table):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * table[None, :, None]).flatten(3)


@_liger("LigerLlama4RopeFunction", lambda q, k, table: (_complex_rotation(q, table), _complex_rotation(k, table)))
def _llama4_rope(draw):
    angle = draw.uniform((7, 32), low=-math.pi, high=math.pi)
    yield case(draw.normal((2, 7, 4, 64)), draw.normal((2, 7, 2, 64)), torch.polar(torch.ones_like(angle), angle))


@_liger("LigerEmbeddingFunction", lambda table, indices: F.embedding(indices, table))
def _embedding(draw):
    yield case(draw.normal((50, 33)), draw.integers((4, 7), torch.int64, 0, 50))


def _residual_attention(v, query, norm, eps):
    keys = v * torch.rsqrt((v * v).mean(-1, keepdim=True) + eps) * norm
    weights = torch.softmax((keys * query).sum(-1), 0)
    return (weights[..., None] * v).sum(0)


@_liger("LigerAttnResFunction", _residual_attention)
def _attention_residuals(draw):
    yield case(draw.normal((4, 2, 5, 64)), draw.normal((64,)), draw.normal((64,)), 1e-6)


@_liger("LigerMHCPreFunction", lambda x, h: (h[..., None] * x).sum(-2))
def _hyper_connection_in(draw):
    yield case(draw.normal((2, 5, 4, 64)), draw.uniform((2, 5, 4)))


@_liger("LigerMHCPostResFunction", lambda x, f, post, res: torch.einsum("bton,btnc->btoc", res, x) + post[..., None] * f[
    ..., None, :])
def _hyper_connection_out(draw):
    yield case(draw.normal((2, 5, 4, 64)), draw.normal((2, 5, 64)), draw.uniform((2, 5, 4)), draw.uniform((2, 5, 4, 4)))


def _mixture(x, gate_up, down, experts, weights):
    result = torch.zeros_like(x)
    for token in range(x.shape[0]):
        for slot in range(experts.shape[1]):
            expert = experts[token, slot]
            hidden = _gate_and_up(x[token] @ gate_up[expert].T)
            result = result.index_add(0, torch.tensor([token]), (weights[token, slot] * (hidden @ down[expert].T))[None])
    return result


@_liger("LigerFusedMoEFunction", _mixture)
def _fused_moe(draw):
    experts = torch.stack([draw.permutation(4)[:2] for _ in range(9)]).int()
    yield case(draw.normal((9, 64)) / 8, draw.normal((4, 128, 64)) / 8, draw.normal((4, 64, 64)) / 8, experts,
               draw.uniform((9, 2)))


def _masked_convolution(scores, weight, bias, stride, padding):
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    probabilities = torch.softmax(scores.masked_fill(~visible, -1e9), -1)
    return F.conv2d(probabilities, weight, bias, stride, padding).masked_fill(~visible, 0.0)


@_liger("LigerMultiTokenAttentionFunction", _masked_convolution)
def _multi_token_attention(draw):
    yield case(draw.normal((2, 4, 16, 16)), draw.normal((4, 4, 3, 3)), draw.normal((4,)), (1, 1), (1, 1))


@_liger("LigerMLPFunction", lambda x, gate, up, down: (F.silu(x @ gate.T) * (x @ up.T)) @ down.T)
def _mlp(draw):
    yield case(draw.normal((2, 5, 64)) / 8, draw.normal((96, 64)) / 8, draw.normal((96, 64)) / 8, draw.normal((64, 96)) / 8)


def _policy_loss(logits, old, reference, ids, advantages, mask, temperature, beta, low, high):
    logp = torch.log_softmax(logits[:, :-1] / temperature, -1).gather(-1, ids[..., None])[..., 0]
    ratio = torch.exp(logp - (logp.detach() if old is None else old.detach()))
    advantage = advantages.detach()[:, None]
    loss = -torch.minimum(ratio * advantage, ratio.clamp(1 - low, 1 + high) * advantage)
    gap = reference.detach() - logp
    loss = loss + beta * (torch.exp(gap) - gap - 1)
    mask = mask.detach()
    return (loss * mask).sum(-1).div(mask.sum(-1)).mean()


def _policy_loss_only(function):
    """Without the statistics that the library returns too."""
    return lambda *args: function(*args)[0]


def _register_policy_loss():
    def cases(draw):
        mask = torch.ones((3, 8))
        mask[1, 5:] = 0
        old = torch.log_softmax(draw.normal((3, 8, 130)), -1)[..., 0].contiguous()
        yield case(draw.normal((3, 9, 130)), old, old + 0.1, draw.integers((3, 8), torch.int64, 0, 130), draw.normal((3,)), mask,
                   0.9, 0.04, 0.2, 0.4)

    apply = lambda module: _with_gradients(_policy_loss_only(
        lambda *args: module.GrpoLossFunction.apply(*args, False)))
    OPERATORS.append(Operator("liger_kernel.ops", "GrpoLossFunction", cases, apply, _with_gradients(_policy_loss),
                              tolerance=by_type({torch.float32: (1e-4, 1e-4)})))


_register_policy_loss()
