"""Measured times of configurations: read, written, merged, pinned. Format: docs/formats.md, "Tuning results"."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import stat
from collections.abc import Iterable
from typing import Any

from .. import cache
from ..errors import CacheError

_KIND = "tilewright-tuning"
_FIELDS = {"kernel", "source", "target", "device", "key", "configs", "pinned"}


def _bad(path, what):
    return CacheError(f"TW7206: '{path}' holds no tuning results: {what}\n  hint: give a file that tilewright.tuning.export wrote", 7206)


class Entry:
    """The configurations of one kernel for one key on one device: text of the config -> milliseconds, or an error's text."""

    def __init__(self, kernel, source, target, device, key, configs=None, pinned=None):
        self.kernel, self.source, self.target, self.device, self.key = kernel, source, target, device, dict(key)
        self.configs = dict(configs or {})
        self.pinned = pinned

    @property
    def identity(self):
        """What an entry is looked up by."""
        return (self.kernel, self.source, self.target, self.device, json.dumps(self.key, sort_keys=True))

    def best(self):
        """Text of the pinned or fastest configuration, None without one."""
        times = {config: time for config, time in self.configs.items() if not isinstance(time, str)}
        return self.pinned or min(times, key=times.get, default=None)

    def update(self, other):
        """Takes over what another entry of this identity has."""
        self.configs.update(other.configs)
        self.pinned = other.pinned or self.pinned

    def as_json(self):
        """The entry as JSON's types."""
        rows = {config: {"error": value} if isinstance(value, str) else {"milliseconds": value}
                for config, value in self.configs.items()}
        return {"kernel": self.kernel, "source": self.source, "target": self.target, "device": self.device, "key": self.key,
                "configs": rows, "pinned": self.pinned}

    @staticmethod
    def from_json(row, path):
        """Reads `as_json()`; refuses what it does not know."""
        if not isinstance(row, dict) or set(row) != _FIELDS:
            raise _bad(path, f"expected the fields {', '.join(sorted(_FIELDS))} in each entry")
        configs = {}
        for config, value in row["configs"].items():
            if not isinstance(value, dict) or len(value) != 1 or not set(value) <= {"milliseconds", "error"}:
                raise _bad(path, f"expected milliseconds or error of configuration '{config}', got {value!r}")
            configs[config] = value["error"] if "error" in value else float(value["milliseconds"])
        if row["pinned"] is not None and row["pinned"] not in configs:
            raise _bad(path, f"expected 'pinned' to be one of the configurations, got {row['pinned']!r}")
        return Entry(**{**row, "configs": configs})


class Results:
    """Entries by identity."""

    def __init__(self, entries: Iterable[Entry] = ()):
        self.entries = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Adds an entry; where one of its identity is known, what is new wins."""
        known = self.entries.get(entry.identity)
        if known is None:
            self.entries[entry.identity] = Entry(*(getattr(entry, name) for name in
                                                   ("kernel", "source", "target", "device", "key", "configs", "pinned")))
        else:
            known.update(entry)

    def find(self, entry: Entry) -> Entry | None:
        """The known entry of the same identity, or None."""
        return self.entries.get(entry.identity)

    @staticmethod
    def load(path: str | os.PathLike) -> Results:
        """Reads a file; CacheError TW7206 if it is none of results."""
        try:
            document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise _bad(path, error) from None
        if not isinstance(document, dict) or document.get("kind") != _KIND or document.get("version") != 1:
            raise _bad(path, f"expected kind '{_KIND}' and version 1")
        if set(document) != {"kind", "version", "entries"} or not isinstance(document["entries"], list):
            raise _bad(path, "expected the fields kind, version, entries")
        return Results(Entry.from_json(row, path) for row in document["entries"])

    def save(self, path: str | os.PathLike) -> None:
        """Writes a file, whole or not at all."""
        path = pathlib.Path(path)
        document = {"kind": _KIND, "version": 1, "entries": [entry.as_json() for entry in self.entries.values()]}
        written = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(6).hex()}")
        try:
            written.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
            os.replace(written, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                written.unlink()
            raise CacheError(f"TW7002: cannot write '{path}': {error.strerror}", 7002) from None


#: What this process has measured or was told to use.
measured = Results()
chosen = Results()


def use(*paths: str | os.PathLike) -> None:
    """Takes configurations from files instead of measuring: the pinned one of an entry, else its fastest. Entries of other
    sources, targets and devices are left aside; configurations that a file lacks are measured."""
    for path in paths:
        for entry in Results.load(path).entries.values():
            chosen.add(entry)


def export(path: str | os.PathLike, *kernels: Any) -> None:
    """Writes what this process measured, of the named kernels or of all, to a file."""
    names = {getattr(kernel, "__tilewright_inner__", kernel).fn.__name__ for kernel in kernels}
    Results(entry for entry in measured.entries.values() if not names or entry.kernel in names).save(path)


def merge(into: str | os.PathLike, *paths: str | os.PathLike) -> None:
    """Writes one file with the entries of several; of a configuration measured twice the last file's time stays."""
    everything = Results()
    for path in paths:
        for entry in Results.load(path).entries.values():
            everything.add(entry)
    everything.save(into)


def _stored_path(entry):
    """File of an entry beside the compiled kernels, or None without a folder that is the user's alone."""
    import hashlib
    folder = cache.folder()
    if folder is None:
        return None
    folder = folder / "tuning-v1"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(stat.S_IMODE(path.stat().st_mode) & 0o022 for path in (folder, folder.parent)):
            return None
    except OSError:
        return None
    return folder / (hashlib.sha256(repr(entry.identity).encode()).hexdigest()[:40] + ".json")


def load_stored(entry):
    """Adds to an entry what earlier processes measured."""
    path = _stored_path(entry)
    if path is not None and path.exists():
        with contextlib.suppress(CacheError):
            known = Results.load(path).find(entry)
            if known is not None:
                entry.update(known)


def store(entry):
    """Keeps an entry for later processes; what others stored meanwhile stays."""
    path = _stored_path(entry)
    if path is None:
        return
    with contextlib.suppress(CacheError):
        known = Results()
        if path.exists():
            with contextlib.suppress(CacheError):
                known = Results.load(path)
        known.add(entry)
        known.save(path)
