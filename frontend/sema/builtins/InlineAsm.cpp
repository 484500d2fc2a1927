//===- InlineAsm.cpp - tl.inline_asm_elementwise ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly text is passed through to the target that it is for. On other
// targets PTX that only computes is evaluated (PtxIdioms.h); anything else is
// an error that names what was not understood.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/builtins/ptx/PtxIdioms.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;

namespace {
/// One call with its operands broadcast to a common shape.
struct AsmCall {
  std::string text, constraints;
  int64_t pack = 1;
  bool isPure = false;
  std::vector<int64_t> shape;
  std::vector<Value> operands;
  std::vector<DType> results;
  bool givesTuple = false;
};
} // namespace

static bool readOperands(Interpreter &in, CallArgs &args, AsmCall &call) {
  const Value &given = args["args"];
  if (given.isTuple())
    call.operands = given.elements().vec();
  else
    call.operands.push_back(given);
  for (Value &operand : call.operands) {
    operand = in.emitter.toTensor(operand);
    if (operand.isError())
      return false;
    std::optional<std::vector<int64_t>> common =
        Emitter::commonShape(call.shape, operand.shape());
    if (!common) {
      in.argumentError(args, "args", 2032,
                       "expected operands that broadcast together, got " +
                           operand.describe() + " among them");
      return false;
    }
    call.shape = *common;
  }
  for (Value &operand : call.operands)
    operand = in.emitter.broadcastTo(operand, call.shape);
  return true;
}

static bool readResults(Interpreter &in, CallArgs &args, AsmCall &call) {
  const Value &types = args["dtype"];
  std::vector<Value> listed{types};
  call.givesTuple = types.isTuple();
  if (call.givesTuple)
    listed = types.elements().vec();
  for (const Value &type : listed) {
    if (!type.isType()) {
      in.argumentError(args, "dtype", 2203,
                       "expected a type or a tuple of types, got " +
                           types.describe());
      return false;
    }
    call.results.push_back(type.dtype());
  }
  return true;
}

static std::optional<AsmCall> readCall(Interpreter &in, CallArgs &args) {
  std::optional<std::string> text = in.constantStr(args, "asm");
  std::optional<std::string> constraints = in.constantStr(args, "constraints");
  std::optional<bool> isPure = in.constantBool(args, "is_pure");
  std::optional<int64_t> pack = in.constantInt(args, "pack");
  if (!text || !constraints || !isPure || !pack)
    return std::nullopt;
  AsmCall call;
  call.text = *text;
  call.constraints = *constraints;
  call.isPure = *isPure;
  call.pack = *pack;
  if (!readOperands(in, args, call) || !readResults(in, args, call))
    return std::nullopt;
  return call;
}

static std::vector<Value> passThrough(Interpreter &in, const AsmCall &call) {
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &operand : call.operands)
    operands.push_back(operand.ssa());
  llvm::SmallVector<mlir::Type> types;
  for (DType type : call.results)
    types.push_back(in.emitter.typeFor(type, call.shape));
  auto op = tile::InlineAsmOp::create(
      in.builder(), types, in.request.target.vendor, call.text,
      call.constraints, call.pack, operands, call.isPure);
  std::vector<Value> outputs;
  for (size_t i = 0; i < types.size(); ++i)
    outputs.push_back(Value::tensor(op->getResult(i), call.results[i]));
  return outputs;
}

static Value emitInlineAsm(Interpreter &in, CallArgs &args) {
  std::optional<AsmCall> call = readCall(in, args);
  if (!call)
    return Value::error();
  std::vector<Value> outputs;
  llvm::StringRef vendor = in.request.target.vendor;
  if (vendor == "nvidia") {
    outputs = passThrough(in, *call);
  } else {
    PtxResult result = evaluatePtx(in, call->text, call->constraints,
                                   call->pack, call->operands, call->results);
    if (result.problem.empty())
      outputs = std::move(result.outputs);
    else if (vendor == "amd")
      outputs = passThrough(in, *call);
    else
      return in.error(2305,
                      "inline assembly has no meaning on the target '" +
                          in.request.target.spelling + "': " + result.problem,
                      "guard it with 'if tl.target.vendor == ...' for the "
                      "vendor whose assembly it is, and give a portable "
                      "branch");
  }
  return call->givesTuple ? Value::tuple(std::move(outputs)) : outputs[0];
}

void sema::registerInlineAsm(BuiltinTable &table) {
  table.add("tl.inline_asm_elementwise",
            "asm, constraints, args, dtype, is_pure, pack", emitInlineAsm);
}
