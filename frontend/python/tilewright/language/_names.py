"""Placeholders for names of the kernel language, which have a meaning inside kernels only."""


class Name:
    """A function or namespace of the kernel language, e.g. `tl.load` or `tl.math.exp2`."""

    def __init__(self, module, name):
        self.__module__ = module
        self.__tilewright_name__ = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(self.__module__, f"{self.__tilewright_name__}.{name}")

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"{self.__tilewright_name__} has a meaning inside kernels only: "
                           "call it from a function decorated with @jit")

    def __repr__(self):
        return f"<{self.__module__}.{self.__tilewright_name__}>"


#: Private names that kernels use.
_PRIVATE_NAMES = {"_log2", "_unwrap_if_constexpr", "_unwrap_shape"}


def names_of(module):
    """A module's `__getattr__`: every public name is a placeholder."""

    def get(name):
        # Libraries ask for names that other versions of Triton have, `_experimental_make_tensor_descriptor` for one.
        if name.startswith("_") and name not in _PRIVATE_NAMES:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        return Name(module, name)

    return get
