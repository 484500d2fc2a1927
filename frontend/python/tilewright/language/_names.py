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


def names_of(module):
    """A module's `__getattr__`: every public name is a placeholder."""

    def get(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(module, name)

    return get
