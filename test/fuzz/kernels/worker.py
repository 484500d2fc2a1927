"""A process that examines programs, one line of JSON for each: what a crash takes down is this process only."""
import dataclasses
import json
import os
import sys


def main():
    # What kernels print must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    request = json.loads(sys.argv[1])
    from examine import Examiner
    examiner = Examiner(tuple(request["targets"]), mutates=request["mutates"])
    for line in sys.stdin:
        number = int(line)
        examiner.findings.clear()
        covered = examiner.examine(number, request["seed"])
        answers.write(json.dumps({"number": number, "covered": sorted(covered),
                                  "findings": [dataclasses.asdict(f) for f in examiner.findings]}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
