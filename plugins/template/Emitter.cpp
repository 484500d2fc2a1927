//===- Emitter.cpp - C text of one kernel -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, the frame, and structured control flow. The frame grows with the
// values of a region and shrinks at its end.
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "TemplatePlugin.h"

#include <algorithm>

namespace tilewright::template_ {

std::string text(int64_t number) { return std::to_string(number); }

std::string fill(const char *pattern, const std::vector<std::string> &parts) {
  std::string result;
  for (; *pattern; ++pattern) {
    if (*pattern == '$' && pattern[1] >= '0' && pattern[1] <= '9')
      result += parts.at(*++pattern - '0');
    else
      result += *pattern;
  }
  return result;
}

const std::vector<sdk::Lacking> lackingOperations = {
    {TW_PORTABLE_OP_KERNEL_INLINE_ASM,
     "C has no place for the assembly of another machine",
     "guard it with tl.target, or write it in the language"},
    {TW_PORTABLE_OP_KERNEL_EXTERN_CALL, "there is no device library",
     "use the function of the language that does the same"},
};

static const EmitTable &emitTable() {
  static const EmitTable table = [] {
    EmitTable rows;
    addMemory(rows);
    addAtomics(rows);
    addShapes(rows);
    addReductions(rows);
    addProducts(rows);
    addServices(rows);
    return rows;
  }();
  return table;
}

//===--- Text -------------------------------------------------------------===//

void Emitter::line(const char *pattern, const std::vector<std::string> &parts) {
  std::string filled = fill(pattern, parts);
  if (filled[0] == '}')
    indent.resize(indent.size() - 2);
  body += indent + filled + "\n";
  if (filled.back() == '{')
    indent += "  ";
}

std::string Emitter::name(const Value &value) const {
  auto found = renamed.find(&value);
  return found != renamed.end() ? found->second : "v" + text(value.number);
}

std::string Emitter::element(const Value &value,
                             const std::string &index) const {
  return value.type->isTensor() ? name(value) + "[" + index + "]" : name(value);
}

std::string Emitter::temporary(const std::string &type, uint64_t bytes) {
  std::string variable = fresh("t");
  line("$0 *$1 = ($0 *)(frame + $2);", {type, variable, text(frame)});
  frame += (bytes + 63) / 64 * 64;
  frameMost = std::max(frameMost, frame);
  return variable;
}

void Emitter::declare(const Value &value) {
  std::string type = storageType(*value.type);
  if (!value.type->isTensor())
    line("$0 $1;", {type, name(value)});
  else
    renamed[&value] = temporary(type, storageBytes(*value.type));
}

void Emitter::alias(const Value &value, const Value &same) {
  renamed[&value] = name(same);
}

void Emitter::copy(const Value &from, const std::string &to) {
  if (from.type->isTensor())
    line("memcpy($0, $1, $2);",
         {to, name(from), text(storageBytes(*from.type))});
  else
    line("$0 = $1;", {to, name(from)});
}

void Emitter::openLoops(const std::vector<int64_t> &shape,
                        const char *variable) {
  for (size_t i = 0; i < shape.size(); ++i)
    line("for (int64_t $0 = 0; $0 < $1; ++$0) {",
         {variable + text(i), text(shape[i])});
}

void Emitter::closeLoops(size_t count) {
  while (count--)
    line("}");
}

std::string Emitter::linear(const std::vector<int64_t> &shape,
                            const char *variable) {
  std::string index = "0";
  for (size_t i = 0; i < shape.size(); ++i)
    index = i == 0 ? variable + text(i)
                   : "(" + index + ") * " + text(shape[i]) + " + " + variable +
                         text(i);
  return index;
}

std::string Emitter::failure(const Op &op, uint32_t code,
                             const std::string &message) {
  auto quote = [](const std::string &given) {
    std::string quoted = "\"";
    for (unsigned char c : given) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\%03o", c);
      quoted += c == '"' || c == '\\' || c < ' ' || c == '?'
                    ? escaped
                    : std::string(1, char(c));
    }
    return quoted + "\"";
  };
  std::vector<sdk::Place> places = request.module->placesOf(op.location);
  failures.push_back(
      fill("{$0, $1, $2, $3}",
           {text(code), text(places.empty() ? 0 : places[0].line),
            quote(places.empty() ? "" : places[0].file), quote(message)}));
  return text(failures.size());
}

//===--- Operations -------------------------------------------------------===//

void Emitter::emitElementwise(const Op &op) {
  const Value &result = op.result();
  std::vector<std::string> operands;
  for (const Value *operand : op.operands)
    operands.push_back(element(*operand, "i"));
  std::string expression = elementwiseText(op, operands);
  if (!result.type->isTensor()) {
    line("$0 $1 = $2;", {storageType(*result.type), name(result), expression});
    return;
  }
  declare(result);
  line("for (int64_t i = 0; i < $0; ++i)", {text(result.type->count())});
  line("  $0[i] = $1;", {name(result), expression});
}

void Emitter::emitOp(const Op &op) {
  sdk::refuseLacking(op, kVendor, lackingOperations);
  if (!op.results.empty() &&
      !elementwiseText(op, std::vector<std::string>(op.operands.size(), "x"))
           .empty())
    return emitElementwise(op);
  switch (op.id) {
  case TW_PORTABLE_OP_SCF_FOR:
    return emitFor(op);
  case TW_PORTABLE_OP_SCF_IF:
    return emitIf(op);
  case TW_PORTABLE_OP_SCF_WHILE:
    return emitWhile(op);
  }
  auto found = emitTable().find(op.id);
  if (found == emitTable().end())
    sdk::refuseOperation(op, kVendor, "no code was written for it",
                         "add a row to the table of its family");
  found->second(*this, op);
}

/// All but the operation that ends the region, which its parent reads.
void Emitter::emitOps(const Region &region) {
  for (size_t i = 0; i + 1 < region.ops.size(); ++i)
    emitOp(*region.ops[i]);
}

std::vector<std::string>
Emitter::inlineRegion(const Region &region,
                      const std::vector<std::string> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    line("$0 $1 = $2;", {storageType(*region.arguments[i]->type),
                         name(*region.arguments[i]), values[i]});
  emitOps(region);
  std::vector<std::string> yielded;
  for (const Value *value : region.last().operands)
    yielded.push_back(name(*value));
  return yielded;
}

//===--- Control flow -----------------------------------------------------===//

/// Assigns values to variables at once: all are read before one is written. One
/// that is the old value of another variable is put aside.
void Emitter::copyIn(const std::vector<const Value *> &values,
                     const std::vector<std::string> &to, uint64_t first) {
  std::vector<std::string> from;
  uint64_t before = frame;
  for (size_t i = 0; i < to.size(); ++i) {
    const Value &value = *values[first + i];
    std::string source = name(value);
    if (std::find(to.begin(), to.end(), source) != to.end() &&
        source != to[i]) {
      std::string aside;
      if (value.type->isTensor())
        aside = temporary(storageType(*value.type), storageBytes(*value.type));
      else
        line("$0 $1;", {storageType(*value.type), aside = fresh("t")});
      copy(value, aside);
      source = aside;
    }
    from.push_back(source);
  }
  for (size_t i = 0; i < to.size(); ++i) {
    const Type &type = *values[first + i]->type;
    if (from[i] == to[i])
      continue;
    if (type.isTensor())
      line("memcpy($0, $1, $2);", {to[i], from[i], text(storageBytes(type))});
    else
      line("$0 = $1;", {to[i], from[i]});
  }
  frame = before;
}

static std::vector<std::string> namesOf(const Emitter &emitter,
                                        const std::vector<const Value *> &all) {
  std::vector<std::string> names;
  for (const Value *value : all)
    names.push_back(emitter.name(*value));
  return names;
}

/// The results are the variables that the loop carries.
void Emitter::emitFor(const Op &op) {
  const Region &region = op.regions[0];
  const Value &counter = *region.arguments[0];
  bool isUnsigned = op.has(TW_PORTABLE_ATTR_UNSIGNED_COMPARE);
  std::string type =
      isUnsigned ? unsignedType(*counter.type) : storageType(*counter.type);
  for (const Value *result : op.results)
    declare(*result);
  std::vector<std::string> carried = namesOf(*this, op.results);
  copyIn(op.operands, carried, 3);
  std::string lower = name(op.operand(0)), upper = name(op.operand(1)),
              step = name(op.operand(2));
  line("if (($0)$1 < ($0)$2 && $3 <= 0)", {type, lower, upper, step});
  line("  return $0;",
       {failure(op, 6033, "expected a loop with a positive step")});
  // As many rounds as there are: the counter may not overflow.
  std::string rounds = fresh("n");
  line("uint64_t $0 = ($1)$2 < ($1)$3 ? ((uint64_t)($1)$3 - (uint64_t)($1)$2 - "
       "1) / (uint64_t)$4 + 1 : 0;",
       {rounds, type, lower, upper, step});
  line("for ($0 $1 = $2; $3; --$3, $1 += $4) {",
       {storageType(*counter.type), name(counter), lower, rounds, step});
  uint64_t before = frame;
  for (size_t i = 0; i < carried.size(); ++i)
    renamed[region.arguments[i + 1]] = carried[i];
  emitOps(region);
  copyIn(region.last().operands, carried, 0);
  frame = before;
  line("}");
}

void Emitter::emitIf(const Op &op) {
  for (const Value *result : op.results)
    declare(*result);
  std::vector<std::string> results = namesOf(*this, op.results);
  line("if ($0) {", {name(op.operand(0))});
  uint64_t before = frame;
  for (size_t i = 0; i < 2 && op.regions[i].isPresent; ++i) {
    if (i == 1) {
      line("}");
      line("else {");
    }
    emitOps(op.regions[i]);
    copyIn(op.regions[i].last().operands, results, 0);
    frame = before;
  }
  line("}");
}

/// `before` computes the condition and what `after` and the results take.
void Emitter::emitWhile(const Op &op) {
  const Region &before = op.regions[0], &after = op.regions[1];
  for (const Value *result : op.results)
    declare(*result);
  for (const Value *argument : before.arguments)
    declare(*argument);
  std::vector<std::string> carried = namesOf(*this, before.arguments);
  std::vector<std::string> results = namesOf(*this, op.results);
  copyIn(op.operands, carried, 0);
  line("for (;;) {");
  uint64_t mark = frame;
  emitOps(before);
  copyIn(before.last().operands, results, 1);
  line("if (!$0)", {name(*before.last().operands[0])});
  line("  break;");
  for (size_t i = 0; i < results.size(); ++i)
    renamed[after.arguments[i]] = results[i];
  emitOps(after);
  copyIn(after.last().operands, carried, 0);
  frame = mark;
  line("}");
}

//===--- Kernels ----------------------------------------------------------===//

void Emitter::emitArguments(const Op &kernel) {
  sdk::KernelRecord record = sdk::readRecord(kernel);
  const Region &region = kernel.regions[0];
  for (size_t i = 0; i < region.arguments.size(); ++i) {
    const Value &argument = *region.arguments[i];
    line("$0 $1;", {storageType(*argument.type), name(argument)});
    line("memcpy(&$0, launch->args + $1, sizeof $0);",
         {name(argument), text(record.parameters[i].offset)});
    if (!argument.type->isPointer() && argument.type->element == TW_DTYPE_I1)
      line("$0 = $0 != 0;", {name(argument)});
  }
}

std::string Emitter::emitKernel(const Op &kernel, const std::string &symbol) {
  if (kernel.has(TW_PORTABLE_ATTR_NEEDS_PROGRESS))
    sdk::refuseOperation(kernel, kVendor,
                         "the kernel waits for another program, and programs "
                         "run one after the other here",
                         "use a target whose programs run at the same time");
  body.clear();
  failures.clear();
  renamed.clear();
  frame = frameMost = 0;
  emitArguments(kernel);
  emitOps(kernel.regions[0]);
  if (frameMost > kFrameBytes)
    throw sdk::Refusal{TW_E_DIAGNOSED,
                       4122,
                       "expected tiles of at most " + text(kFrameBytes) +
                           " bytes in a program, got " + text(frameMost),
                       "use smaller blocks",
                       &kernel,
                       {}};
  std::string listed;
  for (const std::string &row : failures)
    listed += "  " + row + ",\n";
  // An empty array is not C.
  listed += "  {0, 0, 0, 0}\n";
  return fill(
      "static uint32_t run_$0(const template_launch *launch) {\n"
      "  unsigned char *frame = launch->frame;\n"
      "$1"
      "  return 0;\n"
      "}\n"
      "static const template_failure failures_$0[] = {\n$2};\n"
      "__attribute__((visibility(\"default\"))) const template_kernel $0 =\n"
      "    {$3, failures_$0, run_$0};\n\n",
      {symbol, body, listed, text(frameMost)});
}

} // namespace tilewright::template_
