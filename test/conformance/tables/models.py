"""flag-gems' building blocks of language models: attention, delta rules, quantisation, mixtures of experts."""
import math

import torch
import torch.nn.functional as F

from operators_judge import by_type
from operators_table import OPERATORS, Operator, aten, case, gems


def _attend(q, k, v, *_, scale=None):
    """Attention over [batch, length, heads, width] with the causal flag among the unnamed arguments."""
    is_causal = _[5]
    output = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=is_causal)
    return output.transpose(1, 2)


def _first_is_close(results, expected, call):
    """Judges the first result only: the others are statistics."""
    result, wanted = results[0].float(), expected[0].float()
    if result.shape != wanted.shape:
        return f"expected {list(wanted.shape)}, got {list(result.shape)}"
    gap = (result - wanted).abs().max().item()
    return None if gap < 2e-3 else f"differs by {gap}"


@aten("_flash_attention_forward", expected=_attend, judge=_first_is_close)
def _flash_attention(draw):
    for is_causal in (False, True):
        q, k, v = (draw.normal((2, 100, 3, 64), torch.float16) for _ in range(3))
        yield case(q, k, v, None, None, 100, 100, 0.0, is_causal, False)


def _attend_ragged(q, k, v, longest, starts, *_, causal=False, **__):
    parts = []
    for first, last in zip(starts.tolist(), starts.tolist()[1:]):
        piece = [x[first:last].transpose(0, 1) for x in (q, k, v)]
        parts.append(F.scaled_dot_product_attention(*piece, is_causal=causal).transpose(0, 1))
    return torch.cat(parts)


@gems("flash_attn_varlen_func", _attend_ragged, judge=_first_is_close)
def _ragged_attention(draw):
    starts = torch.tensor([0, 40, 41, 150], dtype=torch.int32)
    for causal in (False, True):
        q, k, v = (draw.normal((150, 3, 64), torch.float16) for _ in range(3))
        yield case(q, k, v, 109, starts, 109, starts, causal=causal)


def _delta_rule(q, k, v, g, beta, scale, state, *_, **__):
    """The recurrence step by step: the state is [batch, heads, key width, value width]."""
    state, outputs = state.clone(), []
    group = v.shape[2] // q.shape[2]
    for t in range(q.shape[1]):
        key, query = (x[:, t].repeat_interleave(group, 1) for x in (k, q))
        state = state * torch.exp(g[:, t])[..., None, None]
        correction = (v[:, t] - (state * key[..., None]).sum(-2)) * beta[:, t][..., None]
        state = state + key[..., None] * correction[..., None, :]
        outputs.append((state * (query * scale)[..., None]).sum(-2))
    return torch.stack(outputs, 1), state


def _delta_inputs(draw, length, heads=2, width=64):
    q, k = (F.normalize(draw.normal((1, length, heads, width)), dim=-1).half() for _ in range(2))
    v = draw.normal((1, length, heads, width), torch.float16)
    g = F.logsigmoid(draw.normal((1, length, heads)))
    return q, k, v, g, torch.sigmoid(draw.normal((1, length, heads))).half(), width**-0.5


def _second_is_close(results, expected, call):
    """Judges the output of the chunked form, which stands second, and the final state, which stands fourth."""
    for result, wanted in ((results[1], expected[0]), (results[3], expected[1])):
        gap = (result.float() - wanted.float()).abs().max().item()
        if not gap < 5e-3:
            return f"differs by {gap}"
    return None


@gems("chunk_gated_delta_rule_fwd", _delta_rule, judge=_second_is_close)
def _chunked_delta_rule(draw):
    q, k, v, g, beta, scale = _delta_inputs(draw, 200)
    yield case(q, k, v, g, beta, scale, torch.zeros((1, 2, 64, 64)), True)


def _quantized(x, block, *_):
    groups = x.float().reshape(-1, block)
    scale = groups.abs().amax(-1, keepdim=True).clamp(min=1e-4) / 448.0
    rounded = (groups / scale).clamp(-448, 448).to(torch.float8_e4m3fn)
    return rounded.reshape(x.shape), scale.reshape(*x.shape[:-1], -1)


def _same_up_to_a_step(results, expected, call):
    """Scales to fp32 accuracy, fp8 numbers within one step of their type."""
    scale_gap = (results[1] / expected[1] - 1).abs().max().item()
    steps = (results[0].view(torch.uint8).int() - expected[0].view(torch.uint8).int()).abs().max().item()
    return None if scale_gap < 1e-5 and steps <= 1 else f"scales differ by {scale_gap}, numbers by {steps} steps"


@gems("act_quant_triton", _quantized, judge=_same_up_to_a_step, widen=False)
def _block_quantization(draw):
    for dtype in (torch.float32, torch.bfloat16):
        yield case(draw.normal((33, 256), dtype), 128)


@gems("per_token_group_quant_fp8", _quantized, judge=_same_up_to_a_step, widen=False)
def _group_quantization(draw):
    for dtype in (torch.float32, torch.bfloat16):
        yield case(draw.normal((33, 256), dtype), 128, 1e-10, torch.float8_e4m3fn)


def _hadamard(x, scale):
    matrix = torch.ones((1, 1), dtype=x.dtype)
    while matrix.shape[0] < x.shape[-1]:
        matrix = torch.cat((torch.cat((matrix, matrix), 1), torch.cat((matrix, -matrix), 1)))
    return x @ matrix * scale


@gems("hadamard_transform", _hadamard, terms=10)
def _hadamard_transform(draw):
    for width in (64, 256, 512, 2048):
        yield case(draw.normal((9, width)), 1 / math.sqrt(width))


def _experts(x, first, second, weights, chosen):
    result = torch.zeros_like(x)
    for token in range(x.shape[0]):
        for weight, expert in zip(weights[token], chosen[token].tolist()):
            gate, up = (first[expert] @ x[token]).chunk(2)
            result[token] += weight * (second[expert] @ (F.silu(gate) * up))
    return result


@gems("fused_experts_impl", _experts, tolerance=by_type({torch.bfloat16: (2e-2, 2e-2), torch.float16: (2e-3, 2e-3)}))
def _fused_experts(draw):
    for dtype in (torch.float16, torch.bfloat16):
        chosen = torch.stack([draw.permutation(4)[:2] for _ in range(9)]).int()
        yield case(draw.normal((9, 64), dtype) / 8, draw.normal((4, 128, 64), dtype) / 8, draw.normal((4, 64, 64), dtype) / 8,
                   torch.softmax(draw.normal((9, 2)), -1), chosen)


def _rms_gradients(gradient, x, deviation, shape, weight, eps):
    with torch.enable_grad():
        leaf, scale = x.detach().clone().requires_grad_(), weight.detach().clone().requires_grad_()
        normalized = leaf * torch.rsqrt((leaf * leaf).mean(-1, keepdim=True) + eps) * scale
        return torch.autograd.grad(normalized, (leaf, scale), gradient)


@gems("rms_norm_backward", _rms_gradients, terms=100)
def _rms_norm_backward(draw):
    x = draw.normal((17, 130))
    yield case(draw.normal((17, 130)), x, torch.rsqrt((x * x).mean(-1) + 1e-5), [130], draw.normal((130,)), 1e-5)


@gems("normed_cumsum", lambda x: torch.cumsum(x, -1) / x.sum(-1, keepdim=True))
def _normed_cumsum(draw):
    yield case(draw.uniform((17, 130), low=0.1))


def _products_by_table(a, b, c, table, alpha, beta):
    results = []
    for rows, columns, inner, first_a, first_b, first_c in table:
        product = a[first_a:first_a + rows] @ b[first_b:first_b + inner]
        results.append(alpha * product + beta * c[first_c:first_c + rows])
    return torch.cat(results)


def _group_gemm(module):
    import importlib
    return importlib.import_module("flag_gems.ops.group_gemm").group_gemm


def _register_group_gemm():
    def cases(draw):
        """Three products whose operands the kernel finds through tables of addresses, which it takes for those of bf16."""
        table = [(32, 64, 48, 0, 0, 0), (40, 64, 48, 32, 48, 32), (17, 64, 48, 72, 96, 72)]
        shapes = ((89, 48), (144, 64), (89, 64))
        yield case(*[draw.normal(shape, torch.bfloat16) for shape in shapes], table, 0.5, 2.0)

    OPERATORS.append(Operator("flag_gems", "group_gemm", cases, _group_gemm, _products_by_table, terms=48))


_register_group_gemm()
