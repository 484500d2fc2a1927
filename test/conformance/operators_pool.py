"""Runs each operator in a process of its own, forked after the imports, so that a crash or a hang is a row."""
import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import tempfile
import time

_context = multiprocessing.get_context("fork")


class _Child:
    """A running operator."""

    def __init__(self, operator, work):
        self.operator = operator
        self.start = time.monotonic()
        self.log = tempfile.TemporaryFile()
        self.reader, writer = _context.Pipe(duplex=False)
        self.process = _context.Process(target=_child, args=(operator, work, writer, self.log))
        self.process.start()
        writer.close()

    def finish(self, hung):
        """The row, whatever became of the process."""
        if hung:
            os.kill(self.process.pid, signal.SIGKILL)
        row = None
        try:
            if not hung and self.reader.poll():
                row = json.loads(self.reader.recv())
        except (EOFError, ValueError):
            pass
        self.process.join()
        if row is None:
            row = {"library": self.operator.library, "name": self.operator.name, "cases": 0, "right": 0,
                   "status": "hang" if hung else "crash", "seconds": round(time.monotonic() - self.start, 2),
                   "detail": f"exit status {self.process.exitcode}: {self._log_tail()}"}
        self.reader.close()
        self.log.close()
        return row

    def _log_tail(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-600:]


def _child(operator, work, writer, log):
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    writer.send(json.dumps(work(operator)))
    writer.close()
    # Without the exit handlers of the libraries, which belong to the parent.
    os._exit(0)


def run_all(operators, work, jobs, limit_seconds, report):
    """Calls report(row) for each operator as it ends; at most `jobs` at a time, each for at most `limit_seconds`."""
    waiting, running = list(reversed(operators)), []
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(_Child(waiting.pop(), work))
        multiprocessing.connection.wait([child.process.sentinel for child in running] + [child.reader for child in running],
                                        timeout=1.0)
        for child in list(running):
            hung = time.monotonic() - child.start > limit_seconds
            if hung or child.reader.poll() or not child.process.is_alive():
                report(child.finish(hung and not child.reader.poll()))
                running.remove(child)
