"""The source lines of functions as they were when the functions were decorated.

A kernel is compiled at its first launch; its file may have been edited by then, and what stands there is not what the
process imported.
"""
import inspect
import linecache
import weakref

#: Function -> lines of its file; functions of one file share the list.
_FILES = weakref.WeakKeyDictionary()


def remember(function):
    """Keeps the file's lines of a function that is being decorated."""
    function = inspect.unwrap(function)
    file = function.__code__.co_filename
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if lines:
        _FILES[function] = lines


def source_lines(function):
    """(lines, number of the first) of a function with its decorators, as `inspect.getsourcelines`, and with its errors."""
    function = inspect.unwrap(function)
    lines, first = _FILES.get(function), function.__code__.co_firstlineno
    if lines is None or first > len(lines):
        return inspect.getsourcelines(function)
    return inspect.getblock(lines[first - 1:]), first
