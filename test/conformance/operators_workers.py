"""Runs operators in worker processes that are started anew after a crash, a hang or an error that ends a GPU context.

A forked process cannot use a GPU that its parent has opened, and starting one for each operator takes too long. So a
worker reads numbers of operators from its input, one a line, and writes a row of JSON for each.
"""
import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time

#: After these a process cannot use its GPU any more.
_ENDS_CONTEXT = re.compile(r"TW6012|CUDA error|cudaError|CUDA_ERROR")


def take_output():
    """The worker's channel: standard output as it was; what is printed from now on, by kernels too, goes to the log."""
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return channel


def serve(operators, work, rows):
    """The worker: rows for the numbers on standard input, until it ends."""
    print(json.dumps([[operator.library, operator.name] for operator in operators]), file=rows, flush=True)
    for line in sys.stdin:
        print(json.dumps(work(operators[int(line)])), file=rows, flush=True)
    return 0


class _Worker:
    """One worker process with the operator it is at."""

    def __init__(self, options, selector):
        self.options, self.selector = options, selector
        self.number = None
        self.start()

    def start(self):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([sys.executable, sys.argv[0], *self.options, "--worker"], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.selector.register(self.process.stdout, selectors.EVENT_READ, self)
        self.names = None
        self.since = time.monotonic()

    def stop(self):
        self.selector.unregister(self.process.stdout)
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.stop()
        self.start()

    def give(self, number):
        """Sends the next operator."""
        self.number, self.since = number, time.monotonic()
        try:
            print(number, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # its output ends, too, and is read next

    def log_tail(self):
        """The end of what the process printed."""
        self.log.seek(0, 2)
        self.log.seek(max(self.log.tell() - 600, 0))
        return self.log.read().decode(errors="replace")

    def lost(self, status):
        """The row of an operator that gave none."""
        library, name = self.names[self.number]
        return {"library": library, "name": name, "status": status, "cases": 0, "right": 0,
                "seconds": round(time.monotonic() - self.since, 2),
                "detail": f"exit status {self.process.poll()}: {self.log_tail()}"}


def run_all(options, jobs, limit_seconds, report):
    """Calls report(row) for each operator that the options choose; at most `jobs` processes."""
    selector = selectors.DefaultSelector()
    workers = [_Worker(options, selector) for _ in range(jobs)]
    waiting = None

    def next_for(worker):
        worker.number = None
        if waiting:
            worker.give(waiting.pop())
        else:
            worker.stop()
            workers.remove(worker)

    def lose(worker, status):
        if worker.names is None:
            raise RuntimeError(f"a worker does not start: {worker.log_tail()}")
        report(worker.lost(status))
        worker.number = None
        if waiting:
            worker.restart()
        else:
            worker.stop()
            workers.remove(worker)

    while workers:
        for key, _ in selector.select(timeout=1.0):
            worker = key.data
            line = worker.process.stdout.readline()
            if not line:
                lose(worker, "crash")
                continue
            answer = json.loads(line)
            if worker.names is None:
                worker.names = answer
                waiting = list(range(len(answer)))[::-1] if waiting is None else waiting
                next_for(worker)
                continue
            report(answer)
            if waiting and _ENDS_CONTEXT.search(answer["detail"]):
                worker.restart()
            else:
                next_for(worker)
        for worker in list(workers):
            if worker.number is not None and time.monotonic() - worker.since > limit_seconds:
                lose(worker, "hang")
