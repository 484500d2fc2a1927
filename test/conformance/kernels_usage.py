"""What a jit function does with its parameters, read from its syntax tree: which are pointers, whose elements are indices,
which constants are flags, types, texts or functions. A kernel's signature is derived from this where no launch was seen.
"""
import ast
import dataclasses
import types

_ACCESSES = {"load", "store", "atomic_add", "atomic_max", "atomic_min", "atomic_and", "atomic_or", "atomic_xor", "atomic_xchg",
             "atomic_cas", "make_block_ptr", "make_tensor_descriptor", "advance"}
_PASSING = {"multiple_of", "max_contiguous", "cast", "make_block_ptr", "advance"}


@dataclasses.dataclass
class Usage:
    """Parameters by what they are used as."""
    pointers: set = dataclasses.field(default_factory=set)
    #: Pointers whose elements take part in addresses, loop bounds or bit operations.
    indices: set = dataclasses.field(default_factory=set)
    #: Descriptors with their ranks.
    descriptors: dict = dataclasses.field(default_factory=dict)
    #: Constants that an `if` tests, that name a type, and texts with one of the values they are compared with.
    flags: set = dataclasses.field(default_factory=set)
    dtypes: set = dataclasses.field(default_factory=set)
    texts: dict = dataclasses.field(default_factory=dict)
    functions: set = dataclasses.field(default_factory=set)
    optional: set = dataclasses.field(default_factory=set)
    #: Parameters that are tiles or scalars handed to a helper: used in arithmetic, never as an address.
    called: list = dataclasses.field(default_factory=list)


def resolve(function, expression):
    """The object that a name or a chain of attributes means in a Python function, or None."""
    if isinstance(expression, ast.Name):
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        if expression.id in cells:
            return cells[expression.id].cell_contents
        return function.__globals__.get(expression.id)
    if isinstance(expression, ast.Attribute):
        owner = resolve(function, expression.value)
        return getattr(owner, expression.attr, None) if isinstance(owner, (types.ModuleType, type)) else None
    return None


def jit_function(value):
    """The kernel behind a value, or None."""
    from triton.runtime.jit import JITFunction
    value = getattr(value, "__tilewright_inner__", value)
    return value if isinstance(value, JITFunction) else None


class _Reader(ast.NodeVisitor):
    """Walks one function in source order."""

    def __init__(self, kernel, node, known):
        self.kernel, self.known = kernel, known
        self.names = [parameter.name for parameter in kernel.params]
        self.alias = {name: name for name in self.names}
        #: Roots whose loaded elements flowed into a name.
        self.loaded = {}
        self.usage = Usage()
        for statement in node.body:
            self.visit(statement)

    def roots(self, expression):
        """Parameters that an address may start from, likeliest first."""
        if isinstance(expression, ast.Name):
            return [self.alias[expression.id]] if expression.id in self.alias else []
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Add, ast.Sub)):
            return self.roots(expression.left) + self.roots(expression.right)
        if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
            if expression.func.attr in _PASSING:
                return self.roots(self.first_argument(expression))
            if expression.func.attr == "to":
                return self.roots(expression.func.value)
        if isinstance(expression, ast.IfExp):
            return self.roots(expression.body) + self.roots(expression.orelse)
        return []

    def root(self, expression):
        """The parameter that an address starts from, or None."""
        roots = self.roots(expression)
        return next((root for root in roots if root in self.usage.pointers),
                    next((root for root in roots if "ptr" in root.lower()), roots[0] if roots else None))

    @staticmethod
    def first_argument(call):
        """The pointer argument of an access."""
        if call.args:
            return call.args[0]
        return next((keyword.value for keyword in call.keywords if keyword.arg in ("pointer", "base", "input", "offsets")),
                    None)

    def sources(self, expression):
        """Roots whose elements the value of an expression is computed from."""
        found = set()
        pending = [expression]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load":
                root = self.root(self.first_argument(node)) if node.args or node.keywords else self.root(node.func.value)
                found.update([root] if root else [])
            elif isinstance(node, ast.Name):
                found |= self.loaded.get(node.id, set())
            elif not isinstance(node, ast.Compare):
                pending.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
        return found

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts))
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    self.bind(name.id, value)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)
            self.bind(node.target.id, node.value)

    def bind(self, name, value):
        """Notes where the value of a name comes from."""
        root = self.root(value)
        sources = self.sources(value)
        if root is None:
            self.alias.pop(name, None)
        else:
            self.alias[name] = root
        self.loaded[name] = sources

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            root = self.root(node.value)
            if root is not None and node.target.id not in self.alias:
                self.alias[node.target.id] = root
            self.loaded.setdefault(node.target.id, set()).update(self.sources(node.value))

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)):
            self.usage.indices |= self.sources(node)

    def visit_Attribute(self, node):
        self.generic_visit(node)
        text = ast.unparse(node)
        if isinstance(node.value, ast.Attribute) and text.endswith((".dtype.element_ty", ".type.element_ty")):
            self.usage.pointers.update(self.roots(node.value.value)[:1])

    def visit_Call(self, node):
        self.generic_visit(node)
        called = resolve(self.kernel.fn, node.func)
        helper = jit_function(called)
        if isinstance(node.func, ast.Name) and node.func.id in self.names:
            self.usage.functions.add(node.func.id)
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            for argument in node.args:
                self.usage.indices |= self.sources(argument)
        if helper is not None:
            self.helper_call(node, helper)
        elif isinstance(node.func, ast.Attribute):
            self.access(node)

    def access(self, node):
        """Notes what an access or a cast says about parameters."""
        name = node.func.attr
        if name in ("to", "cast"):
            for argument in node.args[-1:] + [keyword.value for keyword in node.keywords if keyword.arg == "dtype"]:
                self.usage.dtypes.update(self.roots(argument)[:1])
        for keyword in node.keywords:
            if keyword.arg in ("dtype", "out_dtype"):
                self.usage.dtypes.update(self.roots(keyword.value)[:1])
        if name in ("zeros", "full") and len(node.args) > 1:
            self.usage.dtypes.update(self.roots(node.args[-1])[:1])
        if name not in _ACCESSES:
            return
        owner = node.func.value
        if name in ("load", "store", "atomic_add") and isinstance(owner, ast.Name) and self.alias.get(owner.id) in self.names:
            offsets = self.first_argument(node)
            self.usage.descriptors[self.alias[owner.id]] = len(offsets.elts) if isinstance(offsets, (ast.List, ast.Tuple)) else 2
            return
        address = self.first_argument(node)
        root = self.root(address)
        if root is not None:
            self.usage.pointers.add(root)
        self.usage.indices |= self.sources(address) - {root}

    def helper_call(self, node, helper):
        """A helper's parameters tell about what is passed to them."""
        usage = self.known(helper)
        names = [parameter.name for parameter in helper.params]
        passed = list(zip(names, node.args)) + [(keyword.arg, keyword.value) for keyword in node.keywords]
        self.usage.called.append(helper)
        for name, value in passed:
            root = self.root(value)
            if root is not None and name in usage.descriptors:
                self.usage.descriptors[root] = usage.descriptors[name]
            for group in ("pointers", "indices", "flags", "dtypes", "functions", "optional"):
                if root is not None and name in getattr(usage, group):
                    getattr(self.usage, group).add(root)
            if root is not None and name in usage.texts:
                self.usage.texts[root] = usage.texts[name]

    def flag(self, test):
        """Names whose truth a test asks for."""
        if isinstance(test, ast.Name) and test.id in self.names:
            self.usage.flags.add(test.id)
        elif isinstance(test, ast.BoolOp):
            for value in test.values:
                self.flag(value)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.flag(test.operand)

    def visit_If(self, node):
        self.flag(node.test)
        self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_Compare(self, node):
        self.generic_visit(node)
        values = [node.left, *node.comparators]
        for name in (value.id for value in values if isinstance(value, ast.Name) and value.id in self.names):
            for other in values:
                if isinstance(other, ast.Constant) and isinstance(other.value, str):
                    self.usage.texts.setdefault(name, other.value)
                elif isinstance(other, ast.Constant) and other.value is None:
                    self.usage.optional.add(name)
                elif isinstance(other, ast.Constant) and isinstance(other.value, bool):
                    self.usage.flags.add(name)
                elif isinstance(other, ast.Attribute) and ast.unparse(other).startswith("tl.") \
                        and type(resolve(self.kernel.fn, other)).__name__ == "dtype":
                    self.usage.dtypes.add(name)


class Usages:
    """Usage of every kernel, computed once."""

    def __init__(self):
        self._known = {}

    def __call__(self, kernel):
        key = id(kernel)
        if key not in self._known:
            self._known[key] = Usage()
            tree = ast.parse(kernel.src).body[0]
            self._known[key] = _Reader(kernel, tree, self).usage
        return self._known[key]
