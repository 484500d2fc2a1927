"""Oclgrind as the OpenCL device: an interpreter that remembers who touched which byte since the last barrier.

The driver plugin finds it like any other device. It takes SPIR; modules reach it through `llvm-spirv-15`.
"""
import os
import pathlib
import re
import shutil

LIBRARY = pathlib.Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
TRANSLATOR = "llvm-spirv-15"


def missing_package():
    """The Debian package that is needed and not here; None where all are."""
    if not LIBRARY.exists():
        return "oclgrind"
    return None if shutil.which(TRANSLATOR) else TRANSLATOR


class RaceLog:
    """What Oclgrind finds in processes that have `variables` in their environment, from before they open a device."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.read = 0
        # It falls silent after 1000 findings, and those of global memory count: loops of compare-and-swap make many.
        self.variables = {"OCL_ICD_VENDORS": str(LIBRARY), "OCLGRIND_DATA_RACES": "1", "OCLGRIND_MAX_ERRORS": str(2**31 - 1),
                          "OCLGRIND_LOG": str(path)}

    def environment(self):
        """That of this process with the variables."""
        return dict(os.environ, **self.variables)

    def new_races(self):
        """Races in local memory since the last call, each with its kernel and both accesses as Oclgrind says them."""
        if not self.path.exists():
            return []
        with self.path.open() as file:
            file.seek(self.read)
            text = file.read()
            self.read = file.tell()
        return re.findall(r"^[^\n]*data race at local memory.*?(?=\n\n\S|\Z)", text, re.MULTILINE | re.DOTALL)
