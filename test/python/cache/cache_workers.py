"""Processes that share a cache folder; run by test_cache_processes as a program of its own.

    cache_workers.py race FOLDER PROCESSES           all compile one kernel at once; prints how many compiled it
    cache_workers.py kill FOLDER PROCESSES KILLS     all compile many kernels while KILLS of them are killed at random; prints
                                                     JSON: the constants of kernels that were reported done, and failures
"""
import json
import os
import pathlib
import random
import signal
import sys
import time
import traceback

import numpy as np

import tilewright as tw
import tilewright.language as tl

#: Few enough that workers meet, many enough that most compile.
CONSTANTS = 400


@tw.jit
def shifted(out, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), tl.arange(0, BLOCK) + SHIFT)


def signature(constant):
    return f"out:*i32[:16], SHIFT={constant}, BLOCK=64"


def compile_and_run(constant):
    """Compiles or finds a kernel, runs it, and says whether it was compiled; a wrong result raises."""
    compiled = tw.compile(shifted, signature(constant))
    memory = np.zeros(80, np.int32)
    start = -memory.ctypes.data % 64 // 4
    out = memory[start:start + 64]
    compiled.kernel.launch(1, 1, 1, ((out.ctypes.data, out.nbytes),))
    np.testing.assert_array_equal(out, np.arange(64) + constant)
    return not compiled.is_from_cache


def race(processes):
    """How many of the processes compiled."""
    gate, door = os.pipe()
    workers = []
    for _ in range(processes):
        pid = os.fork()
        if pid == 0:
            os.close(door)
            os.read(gate, 1)  # until the parent closes its end
            os._exit(10 if compile_and_run(0) else 11)
        workers.append(pid)
    os.close(door)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in workers]
    assert set(codes) <= {10, 11}, codes
    return codes.count(10)


def work(log, seed):
    """Compiles until killed; tells the log what is done."""
    numbers = random.Random(seed)
    while True:
        constant = numbers.randrange(CONSTANTS)
        compile_and_run(constant)
        os.write(log, f"{constant}\n".encode())


def start(log, seed):
    pid = os.fork()
    if pid == 0:
        try:
            work(log, seed)
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    return pid


def kill(folder, processes, kills):
    """Kills workers at random moments; gives what they had done and how many ended by themselves."""
    record = pathlib.Path(folder + ".log")
    log = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    numbers = random.Random(7)
    workers = {start(log, seed) for seed in range(processes)}
    failures = 0
    for number in range(kills):
        # Some kernels are done between any two kills, on a slow machine too.
        while record.read_text().count("\n") <= number:
            time.sleep(0.01)
        time.sleep(numbers.uniform(0, 0.1))
        victim = numbers.choice(sorted(workers))
        os.kill(victim, signal.SIGKILL)
        failures += os.waitstatus_to_exitcode(os.waitpid(victim, 0)[1]) != -signal.SIGKILL
        workers.remove(victim)
        workers.add(start(log, processes + number))
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
        failures += os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != -signal.SIGKILL
    return {"done": sorted({int(line) for line in record.read_text().split()}), "failures": failures}


def main():
    command, folder, *counts = sys.argv[1:]
    tw.cache.configure(folder=folder)
    if command == "race":
        print(race(int(counts[0])))
    else:
        print(json.dumps(kill(folder, *map(int, counts))))


if __name__ == "__main__":
    main()
