"""Text of values: tiles with their coordinates, what was masked, and where NaN and infinity are."""
import numpy as np

#: Elements that fit into one line, rows and columns of a larger tile that are shown, of each end.
_INLINE, _ROWS, _COLUMNS = 8, 3, 4


class Pointers:
    """Knows the arrays of a launch, so that pointers show as elements of them."""

    def __init__(self, extents):
        #: (name, address of the first element, first byte, byte past the last, bytes of an element) each.
        self.extents = extents

    def owner_of(self, addresses, type):
        """The array that most of the addresses are in, or None."""
        addresses = np.asarray(addresses).astype(np.int64)
        inside = [np.count_nonzero((addresses >= low) & (addresses < high)) for _, _, low, high, _ in self.extents]
        return self.extents[int(np.argmax(inside))] if any(inside) else None


def _element(value, type):
    if type == "i1":
        return "T" if value else "F"
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    return str(value)


def _texts(value, pointers):
    """(text of each element, notes) of a tile or scalar."""
    data, notes = np.asarray(value.data), []
    if value.type.startswith("*"):
        owner = pointers.owner_of(data, value.type)
        if owner is None:
            return np.vectorize(hex, otypes=[object])(data), notes
        name, address, low, high, size = owner
        outside = (data.astype(np.int64) < low) | (data.astype(np.int64) >= high)
        if outside.any():
            notes.append(_count("outside", outside))
        return np.vectorize(lambda index: f"{name}[{index}]", otypes=[object])((data.astype(np.int64) - address) // size), notes
    if data.dtype.kind == "f":
        notes += [_count(word, found) for word, found in (("nan", np.isnan(data)), ("inf", np.isinf(data))) if found.any()]
    texts = np.vectorize(lambda element: _element(element, value.type), otypes=[object])(data)
    return texts, notes


def _count(word, found):
    first = f", first at {_position(np.argwhere(found)[0])}" if found.ndim else ""
    return f"{np.count_nonzero(found)} {word}{first}" if found.ndim else word


def _position(index):
    return "(" + ", ".join(map(str, index)) + ")"


def _notes(value, notes):
    data = np.asarray(value.data)
    if data.ndim and value.type == "i1":
        notes = [f"{np.count_nonzero(data)} of {data.size} true", *notes]
    elif data.size > _INLINE and not value.type.startswith("*"):
        known = data if value.active is None else data[value.active]
        known = known[np.isfinite(known)] if data.dtype.kind == "f" else known
        if known.size:
            notes = [f"{_element(known.min(), '')} to {_element(known.max(), '')}", *notes]
    if value.active is not None and not value.active.all():
        notes = [f"{np.count_nonzero(~value.active)} of {data.size} masked", *notes]
    return "  # " + ", ".join(notes) if notes else ""


def _shown(extent, limit):
    """The indices of a dimension that are shown; None stands for those between."""
    if extent <= 2 * limit:
        return list(range(extent))
    return [*range(limit), None, *range(extent - limit, extent)]


def _table(texts):
    """Lines of a tile of two dimensions, with the numbers of rows and columns."""
    rows, columns = _shown(texts.shape[0], _ROWS), _shown(texts.shape[1], _COLUMNS)
    cells = [["", *("..." if column is None else str(column) for column in columns)]]
    for row in rows:
        cells.append(["..." if row is None else f"{row}:",
                      *("..." if None in (row, column) else texts[row, column] for column in columns)])
    cells = [row if row[0] != "..." else ["...", *[""] * len(columns)] for row in cells]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns) + 1)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]


def _long_row(texts):
    """Lines of a long tile of one dimension; each starts with the index of its first element."""
    starts = [None if row is None else row * _INLINE for row in _shown(-(-len(texts) // _INLINE), 2)]
    width = max(map(len, texts))
    number = len(str(len(texts)))
    return ["..." if start is None else f"{start}:".rjust(number + 1) + "  "
            + " ".join(text.rjust(width) for text in texts[start:start + _INLINE]) for start in starts]


def lines_of(name, value, pointers):
    """Lines that show what a name is bound to: one for a scalar or short row, else a heading and a table."""
    if not value.type:
        return [f"{name} = {value.data!r}"]
    texts, notes = _texts(value, pointers)
    if value.active is not None:
        texts = np.where(value.active, texts, "--")
    note = _notes(value, notes)
    shape = np.shape(value.data)
    if not shape:
        return [f"{name}: {value.type} = {texts[()]}" + (note if value.type.startswith("*") else "")]
    heading = f"{name}: {value.type}[{', '.join(map(str, shape))}]"
    if len(shape) == 1 and shape[0] <= _INLINE:
        return [f"{heading} = [{' '.join(texts)}]{note}"]
    if len(shape) == 1:
        return [heading + note, *("  " + line for line in _long_row(list(texts)))]
    lines = [heading + note]
    for lead in _leading(shape[:-2]):
        if lead:
            lines.append(f"  [{', '.join(map(str, lead))}, :, :]")
        lines += ["  " + line for line in _table(texts[lead])]
    return lines


def _leading(shape):
    """The first and last index of the dimensions before the last two."""
    first, last = (0, ) * len(shape), tuple(extent - 1 for extent in shape)
    return [first] if first == last else [first, last]
