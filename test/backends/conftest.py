"""Which rows of the agreement tests run on which target."""
import zlib

#: Of the rows on spirv, whose driver compiles slowly, one in so many is in the short form.
SPARSE = 6


def is_long(item):
    """Whether a row is for the long form only."""
    target = getattr(item, "callspec", None) and item.callspec.params.get("agree")
    return target == "spirv" and zlib.crc32(item.name.encode()) % SPARSE != 0


def pytest_collection_modifyitems(config, items):
    """Leaves the long rows to `--full`."""
    if config.getoption("--full"):
        return
    dropped = [item for item in items if is_long(item)]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]
