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
_ENDS_CONTEXT = re.compile(r"TW6012|CUDA error|cudaError|CUDA_ERROR|Triton Error \[CUDA\]")
#: How long operators that have begun may go on once the time of a run is over.
_GRACE_SECONDS = 20.0


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


class _Run:
    """The operators that wait, the workers, and when to stop."""

    def __init__(self, options, limit_seconds, seconds, report):
        self.options, self.limit_seconds, self.report = options, limit_seconds, report
        self.deadline = time.monotonic() + seconds if seconds else float("inf")
        self.selector = selectors.DefaultSelector()
        self.workers, self.waiting, self.names = [], None, []

    def start(self, jobs):
        self.workers = [_Worker(self.options, self.selector) for _ in range(jobs)]

    def next_for(self, worker, fresh=False):
        """Gives a worker something to do or ends it; `fresh`: in a new process."""
        worker.number = None
        if not self.waiting:
            worker.stop()
            self.workers.remove(worker)
        elif fresh:
            worker.restart()
        else:
            worker.give(self.waiting.pop())

    def lose(self, worker, status):
        """The process of a worker is gone, or has to go."""
        if worker.names is None:
            raise RuntimeError(f"a worker does not start: {worker.log_tail()}")
        self.report(worker.lost(status))
        self.next_for(worker, fresh=True)

    def hear(self, worker, done):
        """Reads a line of a worker: first the operators' names, then rows."""
        line = worker.process.stdout.readline()
        if not line:
            return self.lose(worker, "crash")
        answer = json.loads(line)
        if worker.names is not None:
            self.report(answer)
            return self.next_for(worker, fresh=bool(_ENDS_CONTEXT.search(answer["detail"])))
        worker.names = [tuple(name) for name in answer]
        if self.waiting is None:
            self.names = worker.names
            self.waiting = [number for number, name in enumerate(worker.names) if name not in done][::-1]
        self.next_for(worker)

    def stop_late(self):
        """Ends what takes too long; after the deadline nothing begins any more."""
        late = time.monotonic() - self.deadline
        if late > 0 and self.waiting is None:
            raise RuntimeError(f"no worker started in time: {self.workers[0].log_tail()}")
        if late > 0:
            for number in self.waiting or ():
                self.report(_not_run(self.names[number]))
            self.waiting = []
        for worker in list(self.workers):
            if worker.number is None and late > 0:
                self.next_for(worker)
            elif worker.number is not None and late > _GRACE_SECONDS:
                self.report(_not_run(worker.names[worker.number]))
                self.next_for(worker)
            elif worker.number is not None and time.monotonic() - worker.since > self.limit_seconds:
                self.lose(worker, "hang")


def _not_run(name):
    """The row of an operator that the time of the run was too short for."""
    return {"library": name[0], "name": name[1], "status": "not run", "cases": 0, "right": 0, "seconds": 0.0,
            "detail": "the time of the run was over"}


def run_all(options, jobs, limit_seconds, report, seconds=None, done=()):
    """Calls report(row) for each operator that the options choose and `done` does not name; at most `jobs` processes. After
    `seconds`, and some grace for what has begun, the rest is reported as not run."""
    run = _Run(options, limit_seconds, seconds, report)
    run.start(jobs)
    while run.workers:
        for key, _ in run.selector.select(timeout=1.0):
            run.hear(key.data, done)
        run.stop_late()
