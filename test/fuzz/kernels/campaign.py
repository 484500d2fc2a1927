"""Examines a range of programs in worker processes, and goes on after crashes and hangs."""
import collections
import json
import pathlib
import queue
import selectors
import subprocess
import sys
import threading

#: Seconds that one program may take on all targets.
PATIENCE = 180
#: Programs that a worker examines before a new one takes over, so that loaded kernels do not pile up.
SERVICE = 250


SCRIPT = pathlib.Path(__file__).with_name("worker.py")


class Worker:
    """One worker process; `ask` gives its answer, or the reason why there is none."""

    def __init__(self, request):
        self.served = 0
        self.process = subprocess.Popen([sys.executable, str(SCRIPT), json.dumps(request)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.errors = collections.deque(maxlen=20)
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def ask(self, number):
        """(answer, None), or (None, "crash" or "hang")."""
        self.served += 1
        try:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None, "crash"
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(PATIENCE):
                return None, "hang"
        line = self.process.stdout.readline()
        return (json.loads(line), None) if line else (None, "crash")

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def last_words(self):
        """The end of what the process wrote to its error stream."""
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return f"exit status {self.process.returncode}\n" + "".join(self.errors)


class Campaign:
    """Shared state of the threads that feed the workers."""

    def __init__(self, seed, targets, mutates, on_finding, stops=None):
        self.request = {"seed": seed, "targets": list(targets), "mutates": mutates}
        self.on_finding = on_finding
        self.stops = stops or (lambda: False)
        self.covered, self.findings, self.done = set(), [], 0
        self.lock = threading.Lock()

    def feed(self, numbers):
        """Body of a thread: asks a worker about numbers until none is left."""
        worker = Worker(self.request)
        while not self.stops():
            try:
                number = numbers.get_nowait()
            except queue.Empty:
                break
            answer, failure = worker.ask(number)
            with self.lock:
                self.take(number, answer, failure, worker)
            if failure or worker.served >= SERVICE:
                worker.close()
                worker = Worker(self.request)
        worker.close()

    def take(self, number, answer, failure, worker):
        self.done += 1
        if failure:
            answer = {"covered": [], "findings": [{"kind": failure, "number": number, "seed": self.request["seed"], "target": "",
                                                   "detail": "", "message": worker.last_words(), "text": ""}]}
        self.covered |= {tuple(pair) for pair in answer["covered"]}
        for finding in answer["findings"]:
            self.findings.append(finding)
            self.on_finding(finding)

    def run(self, numbers, jobs):
        pending = queue.Queue()
        for number in numbers:
            pending.put(number)
        threads = [threading.Thread(target=self.feed, args=(pending,)) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self
