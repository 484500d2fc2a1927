"""OpenCL drivers that only processes see which ask for them. They take SPIR; modules reach them through `llvm-spirv-15`.

Oclgrind interprets kernels and remembers who touched which byte since the last barrier. PoCL compiles them for the processor.
"""
import os
import pathlib
import re
import shutil

TRANSLATOR = "llvm-spirv-15"
#: By name: the library, somewhere under /usr/lib, and its Debian package.
DRIVERS = {"oclgrind": ("oclgrind/liboclgrind-rt-icd.so", "oclgrind"), "pocl": ("*/libpocl.so.2", "libpocl2")}

#: Rows that fail because of a driver: row -> what is wrong with it.
DRIVER_FAULTS = {"oclgrind": {"test_programs::test_program[i64->f32-round]": "converts i64 to f32 by way of f64",
                              "test_surface::test_libdevice_integers[ffs-<lambda>-int32]": "has no ctz, which is of OpenCL 2.0"}}

#: Rows that a driver does not get to the end of in minutes: row -> why.
DRIVER_LIMITS = {"oclgrind": {
    "test_cases::test_c47[256-128]": "takes accesses under a lock for races, lists them, and searches the list for each"}}


def library(driver):
    """Path of a driver; None if it is not installed."""
    return next(pathlib.Path("/usr/lib").glob(DRIVERS[driver][0]), None)


def missing_package(driver):
    """The Debian package that a driver needs and that is not here; None where all are."""
    if not library(driver):
        return DRIVERS[driver][1]
    return None if shutil.which(TRANSLATOR) else TRANSLATOR


def variables(driver):
    """Those of a process whose only OpenCL device is the driver's, from before it opens one."""
    return {"OCL_ICD_VENDORS": str(library(driver))}


class RaceLog:
    """What Oclgrind finds in processes that have `variables` in their environment."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.read = 0
        # It falls silent after 1000 findings, and those of global memory count: loops of compare-and-swap make many.
        self.variables = {**variables("oclgrind"), "OCLGRIND_DATA_RACES": "1", "OCLGRIND_MAX_ERRORS": str(2**31 - 1),
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
