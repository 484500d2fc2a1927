"""The C interface of the runtime through ctypes, for benchmarks that launch on another library's stream."""
import ctypes
import pathlib


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_uint64)]


class Argument(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("name", Text), ("dtype", ctypes.c_uint32),
                ("pointer", ctypes.c_uint32), ("offset", ctypes.c_uint32), ("bytes", ctypes.c_uint32)]


class Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("integer", ctypes.c_int64),
                ("number", ctypes.c_double), ("buffer", ctypes.c_void_p), ("address", ctypes.c_uint64),
                ("bytes", ctypes.c_uint64)]


class Grid(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int64), ("y", ctypes.c_int64), ("z", ctypes.c_int64)]


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("status", ctypes.c_int32),
                ("code", ctypes.c_uint32), ("message", Text), ("hint", Text)]


def text(value):
    """A tw_str of bytes that the caller keeps."""
    return Text(ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p), len(value))


class Runtime:
    """One device of a target, and launches on native streams."""

    def __init__(self, folder, target):
        self.library = ctypes.CDLL(str(pathlib.Path(folder) / "libtilewright_runtime.so.0"))
        self.context, self.device = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.library.tw_rt_context_create(None, ctypes.byref(self.context)))
        self.check(self.library.tw_rt_device_open(self.context, text(target.encode()), ctypes.byref(self.device)))
        self.streams = {}

    def check(self, status):
        if status:
            error = Error(ctypes.sizeof(Error))
            self.library.tw_rt_last_error(ctypes.byref(error))
            message = ctypes.string_at(error.message.data, error.message.size).decode() if error.message.data else ""
            raise RuntimeError(f"TW{error.code}: {message}")

    def stream(self, native):
        """The wrapped form of a CUstream."""
        if native not in self.streams:
            stream = ctypes.c_void_p()
            self.check(self.library.tw_rt_stream_wrap(self.device, ctypes.c_uint64(native), ctypes.byref(stream)))
            self.streams[native] = stream
        return self.streams[native]

    def load(self, artifact):
        """The only kernel of an artifact's bytes."""
        return Kernel(self, artifact)


class Kernel:
    """A prepared kernel."""

    def __init__(self, runtime, artifact):
        self.runtime, library = runtime, runtime.library
        handle, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        runtime.check(library.tw_rt_artifact_load(runtime.device, text(artifact), ctypes.byref(handle)))
        runtime.check(library.tw_rt_kernel_find(handle, text(b""), ctypes.byref(self.kernel)))

    @staticmethod
    def value(given):
        """A tw_rt_value of an int, a float, or a tensor."""
        if isinstance(given, float):
            return Value(kind=2, number=given)
        if isinstance(given, int):
            return Value(kind=1, integer=given)
        return Value(kind=4, address=given.data_ptr(), bytes=given.numel() * given.element_size())

    def launcher(self, grid, values):
        """A function of a native stream that launches with these run-time arguments."""
        array = (Value * len(values))(*map(self.value, values))
        size, count = Grid(*grid), ctypes.c_uint64(len(values))
        launch = self.runtime.library.tw_rt_launch

        def run(native):
            self.runtime.check(launch(self.runtime.stream(native), self.kernel, ctypes.byref(size), array, count))
        return run
