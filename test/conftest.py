"""Options and fixtures shared by all pytest files: the build folder and the long forms."""
import os
import pathlib

import pytest

# Tests see the compiler work; those of the cache name a folder.
os.environ.setdefault("TILEWRIGHT_CACHE", "off")

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    parser.addoption("--build", default=str(ROOT / "build"), help="the build folder to test")
    parser.addoption("--full", action="store_true", help="run the long forms too")
    parser.addoption("--target", default="cpu", help="the target that the language suite runs on")
    parser.addoption("--option", action="append", default=[], metavar="KEY=VALUE",
                     help="an option for every launch of the language suite")
    parser.addoption("--also", action="append", default=[], metavar="KEY=VALUE",
                     help="options of a second launch, which has to write the same bytes")
    parser.addoption("--alike", action="append", default=[], metavar="KEY=VALUE",
                     help="options of a second compile, which has to give the same artifact")
    parser.addoption("--assemble", action="store_true",
                     help="only compile and assemble what the language suite launches, for --target; nothing runs")
    parser.addoption("--record", action="store_true",
                     help="the driver's library is the stand-in: hold every launch to what it should be; nothing runs")
    parser.addoption("--export", metavar="FILE",
                     help="write what the language suite launches to a manifest of `tilewright verify`; nothing runs")
    parser.addoption("--vary", action="append", default=[], metavar="KEY=VALUE,VALUE...",
                     help="every row of the language suite takes one of the values (`target` varies the target), the "
                          "combinations spread over the rows")
    parser.addoption("--turn", type=int, default=0, metavar="N", help="with --vary: by how many combinations to move on")
    parser.addoption("--opencl", choices=["oclgrind", "pocl"],
                     help="the language suite's OpenCL device is that driver's; on oclgrind a row fails whose kernels race in "
                          "local memory")
    parser.addoption("--share", default="0/1", metavar="K/N", help="run every N-th test, from the K-th on")


def pytest_collection_modifyitems(config, items):
    """Leaves this process its share of the tests."""
    first, step = map(int, config.getoption("--share").split("/"))
    config.hook.pytest_deselected(items=[item for number, item in enumerate(items) if number % step != first])
    items[:] = items[first::step]


@pytest.fixture(scope="session")
def build(request):
    """The build folder as a path."""
    return pathlib.Path(request.config.getoption("--build")).resolve()


@pytest.fixture(scope="session")
def tilewright(build):
    """Path of the built command."""
    return build / "bin" / "tilewright"


@pytest.fixture(scope="session")
def full(request):
    """Whether the long forms were asked for."""
    return request.config.getoption("--full")


@pytest.fixture
def examples_on(monkeypatch):
    """A function of a vendor: after it, kernels of docs/examples that name no target run there, whatever they ran on before
    (launches remember what they did for arguments of the same classes)."""
    def use(vendor):
        import tile_kernels
        from tilewright import arrays
        from tilewright.jit import JITFunction
        monkeypatch.setattr(arrays, "device_vendor", lambda value: vendor)
        for kernel in vars(tile_kernels).values():
            if isinstance(kernel, JITFunction):
                monkeypatch.setattr(kernel, "_dispatcher", kernel.make_dispatcher())
    return use
