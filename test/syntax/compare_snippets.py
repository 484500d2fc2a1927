"""Compares our verdicts and trees with CPython 3.11's on snippets.

    python3.11 compare_snippets.py --tool build/bin/tilewright-ast [--mutants N] [--seed N]

The snippets are the strings and doctest examples in CPython's own tests of its grammar, and mutants: statements of the
standard library from which a token was removed, doubled, exchanged or replaced. What CPython's compile() rejects and
ast.parse accepts may go either way; everything else must agree.
"""
import argparse
import ast
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import sysconfig
import warnings

sys.setrecursionlimit(4000)
warnings.simplefilter("ignore")

GRAMMAR_TESTS = ("test_syntax test_grammar test_fstring test_patma test_exceptions test_named_expressions test_string_literals "
                 "test_positional_only_arg test_unpack_ex test_except_star test_generators test_genexps test_ast "
                 "test_unparse test_compile test_coroutines test_dictcomps test_listcomps test_setcomps test_eof "
                 "test_keywordonlyarg test_with test_tokenize test_unicode_identifiers test_type_comments test_parser "
                 "test_type_annotations test_lambda test_extcall test_decorators test_codeop test_bytes test_float test_int "
                 "test_complex test_global test_scope test_super test_class test_bigmem test_doctest test_tuple test_slice "
                 "test_subscript test_pep646_syntax test_peg_generator test_cmd_line_script test_symtable test_traceback"
                 ).split()
# Where we are stricter than ast.parse, CPython's compile() rejects, too; the other way round never.
WORDS = ("if else for in not and or is lambda await async yield from import as with def class return pass match case _ "
         "None True x y 1 2.5 'a' f'{x}' b'z' ( ) [ ] { } : , ; . = == := -> + - * ** / // % @ & | ^ ~ << >> < <= ... "
         "+= **= ! print").split()


def strings_of(path):
    """String constants of a file, and the examples of doctests in them."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < 3000:
            text = node.value
            yield text
            if ">>>" in text:
                yield from doctest_examples(text)
            if "\n" in text:
                import textwrap

                yield textwrap.dedent(text)


def doctest_examples(text):
    """Source of the examples in a docstring."""
    example = []
    for line in text.splitlines() + [""]:
        stripped = line.strip()
        if stripped.startswith(">>> "):
            if example:
                yield "\n".join(example) + "\n"
            example = [stripped[4:]]
        elif stripped.startswith("...") and example:
            example.append(stripped[4:])
        else:
            if example:
                yield "\n".join(example) + "\n"
            example = []


def grammar_snippets(stdlib):
    snippets = set()
    for name in GRAMMAR_TESTS:
        path = os.path.join(stdlib, "test", name + ".py")
        if os.path.exists(path):
            snippets.update(strings_of(path))
    return sorted(snippets)


def statements_of(path):
    """Source of the shorter statements in a file, with their own indentation removed."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    lines = text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.end_lineno - node.lineno < 8:
            piece = lines[node.lineno - 1 : node.end_lineno]
            indent = len(piece[0]) - len(piece[0].lstrip())
            if all(not line.strip() or line[:indent].isspace() or indent == 0 for line in piece):
                yield "".join(line[indent:] or "\n" for line in piece)


def mutate(text, rng):
    """Damages one to three tokens."""
    pieces = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not pieces:
            break
        at = rng.randrange(len(pieces))
        action = rng.randrange(5)
        if action == 0:
            del pieces[at]
        elif action == 1:
            pieces.insert(at, pieces[at])
        elif action == 2:
            other = rng.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
        elif action == 3:
            pieces[at] = rng.choice(WORDS)
        else:
            pieces.insert(at, " " + rng.choice(WORDS) + " ")
    return "".join(pieces)


def mutants(stdlib, count, seed):
    rng = random.Random(seed)
    folders = [stdlib, os.path.join(stdlib, "test"), os.path.join(stdlib, "asyncio")]
    paths = sorted(os.path.join(f, n) for f in folders for n in os.listdir(f) if n.endswith(".py"))
    paths = rng.sample(paths, min(60, len(paths)))
    for name in ("test_grammar", "test_patma", "test_fstring", "test_named_expressions", "test_coroutines", "test_unparse"):
        paths.append(os.path.join(stdlib, "test", name + ".py"))
    statements = sorted({s for path in paths if os.path.exists(path) for s in statements_of(path)})
    return [mutate(rng.choice(statements), rng) for _ in range(count)]


def cpython_verdict(text):
    """('ok', dump), ('bad', message), or ('stricter', message) when only compile() rejects it."""
    try:
        tree = ast.parse(text)
        dump = ast.dump(tree, indent=2)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return "bad", f"{type(error).__name__}: {error}"
    try:
        compile(tree, "snippet", "exec")
    except (SyntaxError, ValueError, RecursionError) as error:
        return "stricter", f"{error}"
    return "ok", dump


def our_verdicts(tool, texts):
    stream = b"".join(b"%d\n%s" % (len(t), t) for t in (text.encode("utf-8", "surrogatepass") for text in texts))
    output = subprocess.run([tool, "--texts"], input=stream, stdout=subprocess.PIPE, check=True).stdout
    at = 0
    for _ in texts:
        end = output.index(b"\n", at)
        status, size = output[at:end].split()
        yield status == b"ok", output[end + 1 : end + 1 + int(size)].decode("utf-8", "surrogatepass")
        at = end + 2 + int(size)


def compare_chunk(tool, texts):
    problems, kinds = [], {"ok": 0, "bad": 0, "stricter": 0}
    for text, (is_fine, ours) in zip(texts, our_verdicts(tool, texts)):
        kind, theirs = cpython_verdict(text)
        kinds[kind] += 1
        if kind == "bad" and is_fine:
            problems.append((text, f"CPython rejects it: {theirs}\n{ours[:600]}"))
        elif kind == "ok" and not is_fine:
            problems.append((text, f"only we reject it:\n{ours[:800]}"))
        elif kind == "ok" and ours != theirs:
            problems.append((text, f"trees differ:\n{theirs[:600]}\n---- ours\n{ours[:600]}"))
        elif not is_fine and ": error: TW1" not in ours:
            problems.append((text, f"no code in {ours[:300]}"))
    return problems, kinds


def is_comparable(text):
    """Leaves out what depends on the encoding declaration, which ast.parse ignores in a str, and null bytes."""
    return "coding" not in text[:200] and not re.search("[\ud800-\udfff]", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--mutants", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    stdlib = sysconfig.get_paths()["stdlib"]
    texts = grammar_snippets(stdlib) + mutants(stdlib, arguments.mutants, arguments.seed)
    texts = [text for text in texts if is_comparable(text)]
    chunks = [texts[i : i + 500] for i in range(0, len(texts), 500)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        results = list(pool.map(compare_chunk, [arguments.tool] * len(chunks), chunks))
    problems = [problem for result, _ in results for problem in result]
    kinds = {kind: sum(part[kind] for _, part in results) for kind in ("ok", "bad", "stricter")}
    for text, problem in problems[: arguments.show]:
        print(f"--- {text!r}\n{problem}")
    print(f"{len(texts)} snippets: {kinds['ok']} valid, {kinds['bad']} invalid, {kinds['stricter']} refused only by compile(), "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
