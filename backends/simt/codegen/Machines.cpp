//===- Machines.cpp - LLVM's target machines, kept ----------------*- C++ -*-=//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile that LLVM stops for ever holds its machine for ever.
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/Machines.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetOptions.h"

#include <list>
#include <mutex>

namespace tilewright::simt {

//===--- Machines that wait -----------------------------------------------===//

namespace {
struct WaitingMachine {
  std::string key;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<Emission> emission; ///< goes before its machine
};

class WaitingMachines {
public:
  /// One without a machine if none waits.
  WaitingMachine take(const std::string &key) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->key == key) {
        WaitingMachine found = std::move(*entry);
        entries.erase(entry);
        return found;
      }
    return {};
  }

  /// The machine that has waited longest makes room.
  void add(WaitingMachine machine) {
    std::lock_guard<std::mutex> lock(mutex);
    entries.push_front(std::move(machine));
    if (entries.size() > kMost)
      entries.pop_back();
  }

private:
  /// A machine and its passes take some megabytes.
  static constexpr size_t kMost = 8;
  std::mutex mutex;
  std::list<WaitingMachine> entries; ///< the last used first
};
} // namespace

static WaitingMachines &waitingMachines() {
  static WaitingMachines machines;
  return machines;
}

void MachineKeeper::operator()(llvm::TargetMachine *machine) {
  waitingMachines().add({key, std::unique_ptr<llvm::TargetMachine>(machine),
                         std::move(emission)});
}

//===--- Creation ---------------------------------------------------------===//

static llvm::CodeGenOptLevel codegenLevel(unsigned level) {
  switch (level) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  case 2:
    return llvm::CodeGenOptLevel::Default;
  default:
    return llvm::CodeGenOptLevel::Aggressive;
  }
}

static std::string keyOf(const MachineNames &names, unsigned level) {
  return names.triple + " " + names.processor + " " + names.features +
         (names.isMovable ? " movable " : " ") + std::to_string(level);
}

Machine createMachine(const MachineNames &names, unsigned level,
                      std::string &why) {
  std::string key = keyOf(names, level);
  WaitingMachine kept = waitingMachines().take(key);
  if (kept.machine)
    return Machine(kept.machine.release(),
                   MachineKeeper{key, std::move(kept.emission)});
  llvm::Triple triple(names.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!target)
    return Machine(nullptr, MachineKeeper{key, nullptr});
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  Machine machine(
      target->createTargetMachine(
          triple, names.processor, names.features, options,
          names.isMovable ? std::optional(llvm::Reloc::PIC_) : std::nullopt,
          std::nullopt, codegenLevel(level)),
      MachineKeeper{key, nullptr});
  if (!machine)
    why = "LLVM has no code generator for " + names.triple;
  return machine;
}

} // namespace tilewright::simt
