"""`triton.runtime.cache`: names that libraries patch. Tilewright's kernels are not stored through them."""
import os
import pathlib

from tilewright.triton.absent import text_for


def default_cache_dir():
    """Where Triton would keep its cache."""
    return os.path.join(pathlib.Path.home(), ".triton", "cache")


class CacheManager:
    """Base of cache managers; nothing asks one here."""

    def __init__(self, key, override=False, dump=False):
        self.key = key


class FileCacheManager(CacheManager):
    """A cache manager that stores nothing."""

    def has_file(self, filename):
        """No file is ever stored."""
        return False

    def get_file(self, filename):
        """No file is ever stored."""
        return None

    def put(self, data, filename, binary=True):
        """Storing is refused, so that nobody relies on it."""
        raise NotImplementedError(text_for("storing through triton.runtime.cache", "`tilewright cache`, see docs/cache.md"))


def get_cache_manager(key):
    """The manager for a key."""
    return FileCacheManager(key)
