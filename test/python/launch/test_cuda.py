"""Launches on a GPU beside torch: streams, graphs, devices, errors of earlier launches."""
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

torch = pytest.importorskip("torch", reason="torch is not installed (Debian: python3-torch)")
if not torch.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)


@tw.jit
def add_one(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@tw.jit(debug=True)
def checked(x, limit):
    tl.device_assert(limit > 2, "too small")
    tl.store(x, limit)


def grid(n):
    return (tw.cdiv(n, 1024),)


def test_target_follows_the_arrays():
    x = torch.zeros(5000, device="cuda")
    compiled = add_one[grid(5000)](x, 5000, BLOCK=1024)
    major, minor = torch.cuda.get_device_capability()
    assert compiled.target.startswith(f"nvidia:sm_{major}{minor}")
    assert bool((x == 1).all())
    host = torch.zeros(5000)
    assert add_one[grid(5000)](host, 5000, BLOCK=1024).target.startswith("cpu")
    general = f"nvidia:sm_{major}{minor}"
    assert add_one[grid(5000)](x, 5000, BLOCK=1024, target=general).target == general
    assert bool((x == 2).all()) and bool((host == 1).all())


def test_launches_go_to_the_current_stream():
    """Behind a long sleep on a side stream nothing has happened yet; on the default stream it is ordered with torch."""
    x = torch.zeros(1 << 20, device="cuda")
    add_one[grid(x.numel())](x, x.numel(), BLOCK=1024)
    assert bool((x == 1).all())  # torch's default stream
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    launch = add_one.bind(grid(x.numel()), x, x.numel(), BLOCK=1024)
    with torch.cuda.stream(side):
        torch.cuda._sleep(500_000_000)
        add_one[grid(x.numel())](x, x.numel(), BLOCK=1024)
        launch()
        done = torch.cuda.Event()
        done.record()
    assert not done.query()  # launches return before they end
    assert not side.query()
    torch.cuda.current_stream().wait_stream(side)
    assert bool((x == 3).all())


def test_graph_capture():
    x = torch.zeros(4096, device="cuda")
    launch = add_one.bind(grid(4096), x, 4096, BLOCK=1024)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        add_one[grid(4096)](x, 4096, BLOCK=1024)
        launch()
    assert not x.any()
    for _ in range(3):
        graph.replay()
    assert bool((x == 6).all())


def test_the_first_launch_may_be_captured():
    """Compiling and loading happen while a stream is captured."""
    @tw.jit
    def twice(x, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(x + i, tl.load(x + i) * 2)

    x = torch.ones(512, device="cuda")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        twice[(1,)](x, BLOCK=512)
    graph.replay()
    graph.replay()
    assert bool((x == 4).all())


def test_a_failure_surfaces_with_its_kernel():
    x = torch.zeros(16, dtype=torch.int32, device="cuda")
    checked[(1,)](x, 2)
    torch.cuda.synchronize()
    with pytest.raises(tw.LaunchError, match=r"TW6030.*too small.*checked"):
        add_one[(1,)](x, 16, BLOCK=16)
    add_one[(1,)](x, 16, BLOCK=16)  # reported once
    checked[(1,)](x, 2)
    with pytest.raises(tw.LaunchError, match=r"TW6030.*checked"):
        tw.synchronize()
    checked[(1,)](x, 5)
    tw.synchronize()
    assert x[0].item() == 5


def test_arrays_of_host_and_device():
    x, host = torch.zeros(64, device="cuda"), torch.zeros(64)
    for wrong in (host, np.zeros(64, np.float32)):
        with pytest.raises(tw.LaunchError, match="TW6059"):
            add_one[(1,)](wrong, 64, BLOCK=64, target="nvidia")
    pinned = host.pin_memory()
    add_one[(1,)](pinned, 64, BLOCK=64, target="nvidia")
    tw.synchronize()
    assert bool((pinned == 1).all()) and not x.any()


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="there is one CUDA device")
def test_second_device():
    x = torch.zeros(64, device="cuda:1")
    add_one[(1,)](x, 64, BLOCK=64)
    assert bool((x == 1).all())
    assert torch.cuda.current_device() == 0


def test_device_arrays():
    x = tw.empty(64, np.float32, "nvidia")
    x.write(np.zeros(64, np.float32))
    add_one[(1,)](x, 64, BLOCK=64)
    assert (x.numpy() == 1).all()


def test_strided_and_typed_tensors():
    for dtype in (torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.float64):
        x = torch.zeros(3, 200, device="cuda", dtype=dtype)
        add_one[(1,)](x[1], 200, BLOCK=256)
        assert bool((x[1] == 1).all()) and not x[0].any() and not x[2].any()
