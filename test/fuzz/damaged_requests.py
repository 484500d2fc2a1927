"""Damages compile requests for plugins that were built with sanitizers, by libFuzzer: `./tw fuzz`.

    damaged_requests.py --build build --fuzz build/fuzz [--runs 100000] [--target null,reference,cpu] [--what sealed]

The ordinary build makes the requests, the other one (TILEWRIGHT_BUILD_FUZZERS) has the plugins. LLVM and MLIR are the system's,
without sanitizers; so is the memory that they hand out of their own pools.
"""
import argparse
import os
import pathlib
import subprocess
import sys

KERNEL = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def kernel(x, out, n):
    i = tl.program_id(0) * 16 + tl.arange(0, 16)
    a = tl.load(x + i, mask=i < n, other=0.0)
    for _ in range(n):
        a = tl.where(a > 1, tl.exp(a), a + tl.sum(a))
    tl.store(out + i, a, mask=i < n)
"""
SIGNATURE = "x:*fp32[:16], out:*fp32[:16], n:i32"
#: What is damaged -> the form of the IR in the request.
FORMS = {"ir": "exact", "sealed": "portable", "request": "portable"}
#: The kinds of a run of `./tw fuzz`, and those for plugins that do not read the portable form.
KINDS, KINDS_WITHOUT_PORTABLE = ("sealed", "request"), ("ir", "request")
WITHOUT_PORTABLE = {"null"}
#: Options of what compiles: LLVM's own effort finds no fault of ours.
EFFORT = {"cpu": ["--opt", "opt_level=0"]}
#: LLVM's pools are marked by inline functions, of which one copy serves code with and without sanitizers.
SANITIZERS = "allow_user_poisoning=0:detect_leaks=0:quarantine_size_mb=16:malloc_context_size=1"


def make_request(build, folder, target, form):
    """The file of a request that compiles."""
    kernel, file = folder / "kernel.py", folder / f"{target}-{form}.twrequest"
    kernel.write_text(KERNEL)
    subprocess.run([build / "bin/tilewright", "compile", kernel, "--sig", SIGNATURE, "--target", target, "--opt", f"ir={form}",
                    *EFFORT.get(target, []), "--emit=request", "-o", file], check=True, capture_output=True, text=True)
    return file


def fuzz(fuzzers, request, target, what, runs, seed, folder):
    """Runs one fuzzer; gives its exit status. Corpus, log and what failed stay in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [fuzzers / "bin/fuzz-request", f"--plugin={fuzzers}/lib/tilewright/libtilewright_{target}.so", f"--request={request}",
               f"--what={what}", f"-runs={runs}", f"-seed={seed}", "-max_len=160", "-len_control=0", "-timeout=60",
               "-rss_limit_mb=8000", f"-artifact_prefix={folder}/", "-print_final_stats=1", folder / "corpus"]
    (folder / "corpus").mkdir(exist_ok=True)
    with open(folder / "log.txt", "w") as log:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, "ASAN_OPTIONS": SANITIZERS})
    ends = [line for line in done.stdout.splitlines() if "status" in line]
    print(f"{target} {what}: {runs} runs, exit status {done.returncode}\n" + "".join(f"    {line}\n" for line in ends), end="", flush=True)
    if done.returncode:
        print("".join((folder / "log.txt").read_text(errors="replace").splitlines(keepends=True)[-40:]), flush=True)
    return done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--fuzz", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="null,reference,cpu")
    parser.add_argument("--what", help="kinds of damage: " + ", ".join(FORMS))
    arguments = parser.parse_args()
    failed = 0
    for target in arguments.target.split(","):
        reads_portable = target not in WITHOUT_PORTABLE
        kinds = KINDS if reads_portable else KINDS_WITHOUT_PORTABLE
        for what in arguments.what.split(",") if arguments.what else kinds:
            folder = (arguments.fuzz / "requests" / f"{target}-{what}").absolute()
            folder.mkdir(parents=True, exist_ok=True)
            request = make_request(arguments.build, folder, target, FORMS[what] if reads_portable else "exact")
            failed |= fuzz(arguments.fuzz.absolute(), request, target, what, arguments.runs, arguments.seed, folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
