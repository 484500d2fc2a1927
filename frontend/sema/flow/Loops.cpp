//===- Loops.cpp - for and while --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over compile-time iterables are unrolled; run-time ranges become
// scf.for and conditions scf.while. The loop carries the names that its body
// assigns and that exist before it.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "frontend/sema/flow/AssignedNames.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace scf = mlir::scf;
namespace arith = mlir::arith;

Completion Interpreter::execFor(const ast::For &stmt) {
  if (!stmt.orelse.empty()) {
    theReporter.errorAt(stmt.orelse.front()->range, 1903,
                        "the else of a loop is not supported inside a kernel",
                        "put the statements after the loop");
    return {};
  }
  Value iterable = evaluate(stmt.iter);
  if (iterable.isError()) {
    poisonNames(stmt.body);
    return {};
  }
  if (iterable.is(Value::Kind::Range) &&
      !iterable.payload<RangePayload>().isStatic) {
    execRuntimeFor(stmt, iterable.payload<RangePayload>());
    return {};
  }
  RangeScope scope(*this, stmt.iter->range);
  std::optional<std::vector<Value>> values = items(iterable);
  if (values)
    return execUnrolled(stmt, *values, 0);
  poisonNames(stmt.body);
  return {};
}

Completion Interpreter::execUnrolled(const ast::For &stmt,
                                     llvm::ArrayRef<Value> values,
                                     size_t from) {
  std::vector<llvm::StringRef> targets = assignedNames(stmt.target);
  for (size_t i = from; i < values.size(); ++i) {
    if (theReporter.isExhausted())
      return {};
    if (const auto *name = ast::asNode<ast::Name>(stmt.target))
      bindName(stmt.target, ref(name->id), values[i], false, &stmt);
    else
      assign(stmt.target, values[i], &stmt);
    traceStep("values", targets);
    Completion completion = execList(stmt.body);
    if (completion.returns() || i + 1 == values.size())
      return completion;
    if (!completion.falls())
      return guardRest(completion,
                       [&] { return execUnrolled(stmt, values, i + 1); });
  }
  return {};
}

std::vector<Interpreter::Carried>
Interpreter::carriedNames(ast::StmtList body, const ast::Expr *target,
                          const NameSet &changing) {
  std::vector<llvm::StringRef> assigned = assignedNames(body);
  std::vector<Carried> carried;
  for (llvm::StringRef name : assigned) {
    Binding *binding = active->scope.find(name);
    const auto *targetName = ast::asNode<ast::Name>(target);
    bool isTarget = targetName && ref(targetName->id) == name;
    if (!binding || !binding->unavailable.empty() || isTarget)
      continue;
    Carried entry{name, binding->value, binding->isConstexpr};
    entry.isGuess = !entry.isConstexpr && entry.value.isNumber() &&
                    !changing.contains(name);
    if (!entry.isConstexpr && !entry.isGuess)
      entry.value = decay(entry.value);
    carried.push_back(std::move(entry));
  }
  return carried;
}

bool Interpreter::noteChanged(llvm::ArrayRef<Carried> carried,
                              NameSet &changing) {
  bool changed = false;
  for (const Carried &entry : carried) {
    Binding *binding = active->scope.find(entry.name);
    if (entry.isGuess && binding && !Value::same(entry.value, binding->value)) {
      changing.insert(entry.name);
      changed = true;
    }
  }
  return changed;
}

/// The SSA values with which a loop starts.
static llvm::SmallVector<mlir::Value>
initialValues(llvm::ArrayRef<Value> values) {
  llvm::SmallVector<mlir::Value> parts;
  for (const Value &value : values)
    value.flatten(parts);
  return parts;
}

void Interpreter::bindCarried(llvm::ArrayRef<Carried> carried,
                              llvm::ArrayRef<mlir::Value> values,
                              const ast::Node *site) {
  for (const Carried &entry : carried) {
    Binding *old = active->scope.find(entry.name);
    Binding binding = *old;
    binding.value = entry.value.rebuild(values);
    active->scope.bind(entry.name, std::move(binding));
  }
}

bool Interpreter::collectCarried(llvm::ArrayRef<Carried> carried,
                                 llvm::SmallVectorImpl<mlir::Value> &values,
                                 const ast::Stmt &loop) {
  bool ok = true;
  for (const Carried &entry : carried) {
    Binding *binding = active->scope.find(entry.name);
    Value value = binding ? binding->value : Value::error();
    if (binding && !binding->unavailable.empty()) {
      theReporter.errorAt(loop.range, 2120,
                          "expected '" + entry.name +
                              "' to keep its type in the loop, but " +
                              binding->unavailable);
      ok = false;
      continue;
    }
    if (!entry.isConstexpr && !entry.isGuess)
      value = decay(value);
    if (value.isError() || entry.value.isError()) {
      ok = false;
      continue;
    }
    if (!Value::compatible(entry.value, value)) {
      std::string start = entry.value.describe();
      theReporter.errorAt(
          binding->site ? binding->site->range : loop.range, 2120,
          "expected '" + entry.name + "' to keep its type in the loop: it is " +
              start + " before and " + value.describe() + " after an iteration",
          entry.value.isTensor() && value.isTensor()
              ? "give it the right type before the loop, or convert it with "
                ".to(...) in the loop"
              : "give it a value of one type before the loop",
          {theReporter.noteAt(loop.range, "in this loop")});
      ok = false;
      continue;
    }
    value.flatten(values);
  }
  return ok;
}

void Interpreter::leaveLoop(const Scope &before,
                            llvm::ArrayRef<Carried> carried,
                            llvm::ArrayRef<mlir::Value> results,
                            const ast::Stmt &loop, bool failed) {
  Scope after = before;
  for (const auto &[name, binding] : active->scope) {
    if (before.find(name))
      continue;
    Binding gone = binding;
    gone.value = Value::error();
    gone.unavailable = "it is bound inside a run-time loop only";
    after.bind(name, std::move(gone));
  }
  for (const Carried &entry : carried) {
    // Rebound in the loop: the last assignment is the interesting one.
    Binding binding = *active->scope.find(entry.name);
    binding.unavailable.clear();
    binding.value = failed ? Value::error() : entry.value.rebuild(results);
    if (failed && !entry.value.isError())
      binding.value = Value::error();
    after.bind(entry.name, std::move(binding));
  }
  active->scope = std::move(after);
}

namespace tilewright::sema {
/// Start, end and step of an scf.for, and how its counter gives the language's
/// induction value.
struct LoopBounds {
  mlir::Value lower, upper, step;
  bool isUnsigned = false;
  /// Set when the counter runs from 0 to the trip count.
  bool isCounted = false;
  /// Set when the counter has 64 bits so that no step overflows it.
  bool isWide = false;
  Value start, increment;
  DType type;
};
} // namespace tilewright::sema

/// Number of iterations of Python's range for any sign of the step, as i64.
static mlir::Value tripCount(Emitter &e, const Value &start, const Value &stop,
                             const Value &step) {
  auto &b = e.b;
  mlir::Value first = e.cast(start, Scalar::I64).ssa();
  mlir::Value last = e.cast(stop, Scalar::I64).ssa();
  mlir::Value by = e.cast(step, Scalar::I64).ssa();
  mlir::Value zero = e.constantInt(0, Scalar::I64).ssa();
  mlir::Value one = e.constantInt(1, Scalar::I64).ssa();
  auto isNegative =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, by, zero);
  auto low = b.createOrFold<arith::SelectOp>(isNegative, last, first);
  auto high = b.createOrFold<arith::SelectOp>(isNegative, first, last);
  auto minus = b.createOrFold<arith::SubIOp>(zero, by);
  auto magnitude = b.createOrFold<arith::SelectOp>(isNegative, minus, by);
  auto isEmpty =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, low, high);
  auto distance = b.createOrFold<arith::SubIOp>(high, low);
  auto lessOne = b.createOrFold<arith::SubIOp>(distance, one);
  auto quotient = b.createOrFold<arith::DivUIOp>(lessOne, magnitude);
  auto count = b.createOrFold<arith::AddIOp>(quotient, one);
  // A step of 0 never ends in Python either; here the loop does not run.
  auto isZeroStep =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, by, zero);
  auto skips = b.createOrFold<arith::OrIOp>(isEmpty, isZeroStep);
  return b.createOrFold<arith::SelectOp>(skips, zero, count);
}

/// Whether stepping a counter of the type past `stop` may overflow it.
static bool mayOverflow(const RangePayload &range, DType type) {
  BigInt step = range.step.intValue();
  if (step == BigInt(1))
    return false;
  if (range.stop.isTensor())
    return true;
  BigInt last = range.stop.intValue() - BigInt(1) + step;
  return type.isSigned() ? !last.fitsSigned(type.width())
                         : !last.fitsUnsigned(type.width());
}

/// Number of iterations of a range with a positive step of 2 or more; no
/// distance overflows as an unsigned number.
static mlir::Value upwardTripCount(Emitter &e, const LoopBounds &bounds) {
  auto &b = e.b;
  auto predicate =
      bounds.isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto runs =
      b.createOrFold<arith::CmpIOp>(predicate, bounds.lower, bounds.upper);
  mlir::Value one = e.constantInt(1, Scalar::I64).ssa();
  mlir::Value zero = e.constantInt(0, Scalar::I64).ssa();
  auto distance = b.createOrFold<arith::SubIOp>(bounds.upper, bounds.lower);
  auto lessOne = b.createOrFold<arith::SubIOp>(distance, one);
  auto quotient = b.createOrFold<arith::DivUIOp>(lessOne, bounds.step);
  auto count = b.createOrFold<arith::AddIOp>(quotient, one);
  return b.createOrFold<arith::SelectOp>(runs, count, zero);
}

static std::optional<LoopBounds> loopBounds(Interpreter &interpreter,
                                            const RangePayload &range) {
  Emitter &e = interpreter.emitter;
  LoopBounds bounds;
  std::optional<DType> type;
  for (const Value *value : {&range.start, &range.stop, &range.step}) {
    if (value->isError())
      return std::nullopt;
    bool isInteger = value->isInt() || value->isBool() ||
                     (value->isScalar() && value->dtype().isInt());
    if (!isInteger) {
      interpreter.error(2121, "expected scalar integers as the bounds of a "
                              "range, got " +
                                  value->describe());
      return std::nullopt;
    }
    std::optional<DType> own =
        value->isTensor() ? value->dtype() : e.typeOfNumber(*value);
    if (!own)
      return std::nullopt;
    if (own->isBool())
      own = DType(Scalar::I32);
    type = type ? promoteIntegers(*type, *own) : *own;
  }
  if (type->width() < 32)
    type = DType::integer(32, type->isSigned());
  bounds.type = *type;
  bool isConstantStep = !range.step.isTensor();
  if (isConstantStep && range.step.intValue().isZero()) {
    interpreter.error(2122, "expected a step other than 0");
    return std::nullopt;
  }
  bool countsUp = isConstantStep && !range.step.intValue().isNegative();
  bounds.isUnsigned = type->isUnsigned();
  if (countsUp) {
    bounds.lower = e.cast(range.start, *type).ssa();
    bounds.upper = e.cast(range.stop, *type).ssa();
    bounds.step = e.cast(range.step, *type).ssa();
    if (!mayOverflow(range, *type))
      return bounds;
    if (type->width() == 32) {
      bounds.isWide = true;
      bounds.isUnsigned = false;
      for (mlir::Value *bound : {&bounds.lower, &bounds.upper, &bounds.step})
        *bound = e.cast(Value::tensor(*bound, *type), Scalar::I64).ssa();
      return bounds;
    }
  }
  bounds.start = e.cast(range.start, *type);
  bounds.increment = e.cast(range.step, *type);
  // From the operands as given: -1 as u32 would count upwards.
  bounds.upper = countsUp ? upwardTripCount(e, bounds)
                          : tripCount(e, range.start, range.stop, range.step);
  bounds.isCounted = true;
  bounds.isUnsigned = false;
  bounds.lower = e.constantInt(0, Scalar::I64).ssa();
  bounds.step = e.constantInt(1, Scalar::I64).ssa();
  return bounds;
}

/// Hints of tl.range as the dictionary `tw.opt.loop`.
static mlir::DictionaryAttr
loopHints(mlir::Builder &builder,
          llvm::ArrayRef<std::pair<std::string, Value>> hints) {
  llvm::SmallVector<mlir::NamedAttribute> entries;
  for (const auto &[name, value] : hints) {
    mlir::Attribute attribute;
    if (value.isBool() && value.boolValue())
      attribute = builder.getBoolAttr(true);
    else if (value.isInt() && value.intValue().fitsSigned(32))
      attribute = builder.getI32IntegerAttr(*value.intValue().asInt64());
    if (attribute)
      entries.push_back(builder.getNamedAttr(name, attribute));
  }
  return builder.getDictionaryAttr(entries);
}

void Interpreter::execRuntimeFor(const ast::For &stmt,
                                 const RangePayload &range) {
  const auto *target = ast::asNode<ast::Name>(stmt.target);
  if (!target) {
    theReporter.errorAt(stmt.target->range, 1902,
                        "expected a name as the target of a run-time loop");
    return;
  }
  RangeScope scope(*this, stmt.iter->range);
  std::optional<LoopBounds> bounds = loopBounds(*this, range);
  if (!bounds)
    poisonNames(stmt.body);
  NameSet changing;
  while (bounds && !attemptFor(stmt, range, *bounds, changing)) {
  }
}

/// False when names that were taken for constant do change.
bool Interpreter::attemptFor(const ast::For &stmt, const RangePayload &range,
                             const LoopBounds &bounds, NameSet &changing) {
  auto &b = builder();
  const auto *target = static_cast<const ast::Name *>(stmt.target);
  std::vector<Carried> carried = carriedNames(stmt.body, stmt.target, changing);
  std::vector<Value> starts;
  for (const Carried &entry : carried)
    starts.push_back(entry.value);
  llvm::SmallVector<mlir::Value> inits = initialValues(starts);

  auto loop = scf::ForOp::create(b, bounds.lower, bounds.upper, bounds.step,
                                 inits, nullptr, bounds.isUnsigned);
  if (mlir::DictionaryAttr hints = loopHints(b, range.hints); !hints.empty())
    loop->setAttr("tw.opt.loop", hints);
  mlir::Block *body = loop.getBody();
  body->clear();
  Scope before = active->scope;
  b.setInsertionPointToStart(body);
  bool has64Bits = bounds.isCounted || bounds.isWide;
  Value counter = Value::tensor(loop.getInductionVar(),
                                has64Bits ? DType(Scalar::I64) : bounds.type);
  if (bounds.isWide) {
    counter = emitter.cast(counter, bounds.type);
    // The bounds have 32 bits: nothing is lost, which the lowering may use.
    if (bounds.type.isSigned())
      counter.ssa().getDefiningOp()->setAttr("tw.carried", b.getUnitAttr());
  }
  if (bounds.isCounted)
    counter = emitter.add(
        bounds.start,
        emitter.mul(emitter.cast(counter, bounds.type), bounds.increment));
  llvm::SmallVector<mlir::Value> arguments(loop.getRegionIterArgs());
  bindCarried(carried, arguments, &stmt);
  Binding induction;
  induction.value = counter;
  induction.site = &stmt;
  active->scope.bind(ref(target->id), std::move(induction));
  traceStep("values", ref(target->id));
  ++active->loopDepth;
  execList(stmt.body);
  --active->loopDepth;
  if (noteChanged(carried, changing)) {
    b.setInsertionPointAfter(loop);
    loop.erase();
    active->scope = std::move(before);
    return false;
  }
  llvm::SmallVector<mlir::Value> yields;
  bool ok = collectCarried(carried, yields, stmt);
  if (!ok)
    yields.assign(arguments.begin(), arguments.end());
  scf::YieldOp::create(b, yields);
  b.setInsertionPointAfter(loop);
  llvm::SmallVector<mlir::Value> results(loop.getResults());
  leaveLoop(before, carried, results, stmt, !ok);
  // The counter's last value is not kept.
  if (Binding *old = active->scope.find(ref(target->id))) {
    old->unavailable = "it is the counter of a run-time loop that has ended";
    old->value = Value::error();
  }
  return true;
}

Completion Interpreter::execWhile(const ast::While &stmt) {
  if (!stmt.orelse.empty()) {
    theReporter.errorAt(stmt.orelse.front()->range, 1903,
                        "the else of a loop is not supported inside a kernel",
                        "put the statements after the loop");
    return {};
  }
  RangeScope scope(*this, stmt.test->range);
  NameSet changing;
  while (!attemptWhile(stmt, changing)) {
  }
  return {};
}

bool Interpreter::attemptWhile(const ast::While &stmt, NameSet &changing) {
  auto &b = builder();
  std::vector<Carried> carried = carriedNames(stmt.body, nullptr, changing);
  std::vector<Value> starts;
  for (const Carried &entry : carried)
    starts.push_back(entry.value);
  llvm::SmallVector<mlir::Value> inits = initialValues(starts);
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Location> locations(inits.size(), b.getLoc());
  for (mlir::Value value : inits)
    types.push_back(value.getType());
  auto loop = scf::WhileOp::create(b, types, inits);
  Scope before = active->scope;
  mlir::Block *testBlock =
      b.createBlock(&loop.getBefore(), {}, types, locations);
  llvm::SmallVector<mlir::Value> arguments(testBlock->getArguments());
  bindCarried(carried, arguments, &stmt);
  traceStep("line", {});
  Value test = evaluate(stmt.test);
  std::optional<bool> known = truth(test);
  if (test.isError() || known) {
    // Nothing of the attempt may remain.
    b.setInsertionPointAfter(loop);
    loop.erase();
    active->scope = std::move(before);
    if (known && *known)
      error(2123,
            "expected the condition of a while to change, got " +
                test.describe() + " in every iteration",
            "a run-time variable in the condition makes the loop end");
    if (!known)
      poisonNames(stmt.body);
    return true;
  }
  Value condition = emitter.toCondition(test);
  if (condition.isError())
    condition = emitter.constant(Value::boolean(false), Scalar::I1);
  scf::ConditionOp::create(b, condition.ssa(), arguments);
  mlir::Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  arguments.assign(body->args_begin(), body->args_end());
  bindCarried(carried, arguments, &stmt);
  ++active->loopDepth;
  execList(stmt.body);
  --active->loopDepth;
  if (noteChanged(carried, changing)) {
    b.setInsertionPointAfter(loop);
    loop.erase();
    active->scope = std::move(before);
    return false;
  }
  llvm::SmallVector<mlir::Value> yields;
  bool ok = collectCarried(carried, yields, stmt);
  if (!ok)
    yields.assign(arguments.begin(), arguments.end());
  scf::YieldOp::create(b, yields);
  b.setInsertionPointAfter(loop);
  llvm::SmallVector<mlir::Value> results(loop.getResults());
  leaveLoop(before, carried, results, stmt, !ok);
  return true;
}
