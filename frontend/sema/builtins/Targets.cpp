//===- Targets.cpp - What a kernel asks about its target --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tl.target, Triton's queries under tl.target_info, which answer from it, and
// the functions below tl.extra that read the machine.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::sema;

static int64_t limitOf(const TargetInfo &target, llvm::StringRef name,
                       int64_t fallback) {
  for (const auto &[key, value] : target.limits)
    if (name == key)
      return value;
  return fallback;
}

/// The number in sm_90a: 90; 0 for other targets.
static int64_t cudaCapability(const TargetInfo &target) {
  llvm::StringRef arch = target.arch;
  int64_t capability = 0;
  bool isKnown = target.vendor == "nvidia" && arch.consume_front("sm_") &&
                 !arch.consumeInteger(10, capability);
  return isKnown ? capability : 0;
}

/// Triton's name of a vendor.
static std::string backendName(const TargetInfo &target) {
  return llvm::StringSwitch<std::string>(target.vendor)
      .Case("nvidia", "cuda")
      .Case("amd", "hip")
      .Default(target.vendor);
}

/// is_cuda(), is_hip() and the generations of the latter.
static Value emitIsVendor(Interpreter &in, CallArgs &args) {
  const TargetInfo &target = in.request.target;
  llvm::StringRef arch = target.arch;
  llvm::StringRef query = args.builtin->name.rsplit('.').second;
  return Value::boolean(
      llvm::StringSwitch<bool>(query)
          .Case("is_cuda", target.vendor == "nvidia")
          .Case("is_hip", target.vendor == "amd")
          .Case("is_hip_cdna3",
                target.vendor == "amd" && arch.starts_with("gfx94"))
          .Case("is_hip_cdna4",
                target.vendor == "amd" && arch.starts_with("gfx95"))
          .Case("is_hip_gfx1250",
                target.vendor == "amd" && arch.starts_with("gfx1250"))
          .Default(false));
}

static Value emitCapability(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> major = in.constantInt(args, "major");
  std::optional<int64_t> minor = in.constantInt(args, "minor");
  if (!major || !minor)
    return Value::error();
  int64_t capability = cudaCapability(in.request.target);
  return Value::boolean(capability > 0 && capability >= *major * 10 + *minor);
}

/// GPUTarget(backend, arch, warp_size), as a kernel for Triton knows it.
static Value emitCurrentTarget(Interpreter &in, CallArgs &) {
  const TargetInfo &target = in.request.target;
  auto layout = std::make_shared<RecordLayout>();
  layout->name = "GPUTarget";
  layout->fields = {"backend", "arch", "warp_size"};
  layout->areConstexpr.assign(3, true);
  int64_t capability = cudaCapability(target);
  return Value::record(
      {Value::str(backendName(target)),
       capability ? Value::integer(capability) : Value::str(target.arch),
       Value::integer(limitOf(target, "subgroup_size", 1))},
      std::move(layout));
}

/// num_warps() and num_threads() of the compile options.
static Value emitThreads(Interpreter &in, CallArgs &args) {
  int64_t warps = 4;
  in.option("num_warps", "4").getAsInteger(10, warps);
  if (args.builtin->name.ends_with("num_warps"))
    return Value::integer(warps);
  return Value::integer(
      warps *
      std::max<int64_t>(1, limitOf(in.request.target, "subgroup_size", 32)));
}

static Value emitNothing(Interpreter &, CallArgs &) { return Value::none(); }

static Value emitClock(Interpreter &in, CallArgs &args) {
  auto &b = in.builder();
  llvm::StringRef kind =
      args.builtin->name.ends_with("globaltimer") ? "globaltimer" : "clock";
  return Value::tensor(tile::ClockOp::create(b, b.getI64Type(), kind),
                       Scalar::I64);
}

/// The multiprocessor that runs the program: NVIDIA only.
static Value emitProcessor(Interpreter &in, CallArgs &) {
  auto &b = in.builder();
  if (in.request.target.vendor != "nvidia")
    return in.error(2308,
                    "the target '" + in.request.target.spelling +
                        "' does not tell which processor runs a program",
                    "use tl.program_id to tell programs apart, or guard the "
                    "call with 'if tl.target.vendor == \"nvidia\":'");
  mlir::Type result[] = {b.getI32Type()};
  auto op = tile::InlineAsmOp::create(b, result, "nvidia", "mov.u32 $0, %smid;",
                                      "=r", 1, mlir::ValueRange{},
                                      /*pure=*/true);
  return Value::tensor(op->getResult(0), Scalar::I32);
}

/// tl.hint(value, "backend.name", v): an identity for all but that backend.
static Value emitHint(Interpreter &in, CallArgs &args) {
  const Value &value = args["value"];
  std::optional<std::string> name = in.constantStr(args, "name");
  if (!name)
    return Value::error();
  std::optional<mlir::NamedAttribute> attribute =
      in.hintAttribute(*name, args["setting"]);
  if (!attribute)
    return Value::error();
  mlir::Operation *op =
      value.isTensor() ? value.ssa().getDefiningOp() : nullptr;
  if (op)
    op->setAttr(attribute->getName(), attribute->getValue());
  return value;
}

void sema::registerTargets(BuiltinTable &table) {
  table.add("tl.hint", "value, name, setting=True", emitHint);
  for (const char *name :
       {"is_cuda", "is_hip", "is_hip_cdna3", "is_hip_cdna4", "is_hip_gfx1250"})
    table.add(std::string("tl.target_info.") + name, "", emitIsVendor);
  table.add("tl.target_info.cuda_capability_geq", "major, minor=0",
            emitCapability);
  table.add("tl.target_info.current_target", "", emitCurrentTarget);
  for (const char *name : {"gdc_wait", "gdc_launch_dependents"})
    table.add(std::string("tl.extra.") + name, "", emitNothing);
  for (const char *name : {"num_warps", "num_threads"})
    table.add(std::string("tl.extra.") + name, "", emitThreads);
  table.add("tl.extra.smid", "", emitProcessor);
  for (const char *name : {"tl.extra.globaltimer", "tl.extra.clock"})
    table.add(name, "", emitClock);
}
