//===- ObjectCode.cpp - From an LLVM module to a code object --------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target machine, and the metadata note ("User Guide for AMDGPU Backend",
// code object metadata): a map in MessagePack.
//===----------------------------------------------------------------------===//
#include "backends/amd/codegen/ObjectCode.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/JSON.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUAsmPrinter();
}

using llvm::StringRef;

namespace tilewright::amd {

static constexpr uint32_t kCodegenFailed = 4111;

/// The parser reads inline assembly.
static void initialise() {
  static const bool done = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  (void)done;
}

/// Level 3 of LLVM's code generator differs from level 2 by a global value
/// numbering, run twice, where 2 has a local one: a tenth of its time.
simt::Machine createMachine(const Target &target, unsigned level,
                            Report &report) {
  initialise();
  std::string why;
  simt::Machine machine = simt::createMachine(
      {"amdgcn-amd-amdhsa", target.processor, target.features},
      std::min(level, 2u), why);
  if (!machine)
    report.error(kCodegenFailed,
                 "no code generator for " + target.name + ": " + why,
                 "install LLVM with its AMDGPU target");
  return machine;
}

static size_t largestBlock(const llvm::Module &module) {
  size_t largest = 0;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      largest = std::max(largest, block.size());
  return largest;
}

/// Straight-line strength reduction takes up to a seventh of the time and n-ary
/// reassociation a fortieth, and the code is as long without. In huge blocks
/// the time of CodeGenPrepare and of the scheduler behind register allocation,
/// which RDNA has, grows with the square of their length, and is most of what a
/// compile takes.
llvm::SmallVector<StringRef> wastefulPasses(const llvm::Module &module) {
  static constexpr size_t kHugeBlock = 8192;
  llvm::SmallVector<StringRef> names{"slsr", "nary-reassociate"};
  if (largestBlock(module) > kHugeBlock)
    names.append({"codegenprepare", "postmisched"});
  return names;
}

//===--- Metadata ---------------------------------------------------------===//

/// The bytes of the metadata note; empty if there is none.
static std::string findMetadata(StringRef object) {
  auto file = llvm::object::ELF64LEFile::create(object);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return "";
  }
  std::string found;
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (auto note : file->notes(section, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
        found = note.getDescAsStringRef(section.sh_addralign).str();
    llvm::consumeError(std::move(error));
  }
  return found;
}

static uint64_t numberOf(llvm::msgpack::MapDocNode &map, StringRef key) {
  auto found = map.find(key);
  return found != map.end() &&
                 found->second.getKind() == llvm::msgpack::Type::UInt
             ? found->second.getUInt()
             : 0;
}

static KernelResources readKernel(llvm::msgpack::MapDocNode &map) {
  KernelResources read;
  read.vectorRegisters = numberOf(map, ".vgpr_count");
  read.accumulationRegisters = numberOf(map, ".agpr_count");
  read.scalarRegisters = numberOf(map, ".sgpr_count");
  read.vectorSpills = numberOf(map, ".vgpr_spill_count");
  read.scalarSpills = numberOf(map, ".sgpr_spill_count");
  read.privateBytes = numberOf(map, ".private_segment_fixed_size");
  read.sharedBytes = numberOf(map, ".group_segment_fixed_size");
  read.argumentBytes = numberOf(map, ".kernarg_segment_size");
  return read;
}

llvm::StringMap<KernelResources> readResources(StringRef object) {
  llvm::StringMap<KernelResources> resources;
  std::string bytes = findMetadata(object);
  llvm::msgpack::Document document;
  if (bytes.empty() || !document.readFromBlob(bytes, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return resources;
  auto &root = document.getRoot().getMap();
  auto kernels = root.find("amdhsa.kernels");
  if (kernels == root.end() || !kernels->second.isArray())
    return resources;
  for (llvm::msgpack::DocNode &node : kernels->second.getArray()) {
    if (!node.isMap())
      continue;
    auto name = node.getMap().find(".name");
    if (name != node.getMap().end() && name->second.isString())
      resources[name->second.getString()] = readKernel(node.getMap());
  }
  return resources;
}

std::string resourcesText(const llvm::StringMap<KernelResources> &resources) {
  llvm::json::Object kernels;
  for (const auto &[name, row] : resources)
    kernels[name] = llvm::json::Object{{"vgpr", row.vectorRegisters},
                                       {"agpr", row.accumulationRegisters},
                                       {"sgpr", row.scalarRegisters},
                                       {"vgpr_spills", row.vectorSpills},
                                       {"sgpr_spills", row.scalarSpills},
                                       {"private_bytes", row.privateBytes},
                                       {"lds_bytes", row.sharedBytes},
                                       {"argument_bytes", row.argumentBytes}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(kernels));
  return text;
}

} // namespace tilewright::amd
