//===- IRForm.cpp - In which form Kernel IR goes to a plugin ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins that are older than the question read the exact form, or what their
// answer to the offer says.
//===----------------------------------------------------------------------===//

#include "frontend/driver/IRForm.h"

#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tilewright::driver {

static std::string exactFormat() {
  return "mlir.exact:" + kernel::kernelIRFingerprint();
}

IRForms parseIRForms(llvm::StringRef text) {
  IRForms forms;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    uint32_t oldest, newest;
    auto [format, range] = line.split(':');
    auto [from, to] = range.split('-');
    forms.readsExact |= line == exactFormat();
    if (format == kernel::portableFormat && !from.getAsInteger(10, oldest) &&
        !to.getAsInteger(10, newest) && oldest <= newest) {
      forms.portableMin = oldest;
      forms.portableMax = newest;
    }
  }
  return forms;
}

/// The forms that a plugin says that it reads for a target.
static IRForms formsOf(const Backends::Backend &backend,
                       const std::string &target) {
  tw_capability question = {};
  question.id = TW_CAP_IR_FORMATS;
  int32_t status = backend.plugin->compile().get_caps(
      backend.handle, toStr(target), &question, 1);
  if (status == TW_OK && question.answer == TW_ANSWER_YES)
    return parseIRForms(toString(question.text));
  IRForms forms;
  forms.portableMin = backend.plugin->info().portableMin;
  forms.portableMax = backend.plugin->info().portableMax;
  forms.readsExact = forms.portableMax == 0;
  return forms;
}

/// The newest version that the plugin reads and this host writes; 0 for none.
static uint32_t commonVersion(const IRForms &forms) {
  const tw_portable_schema &schema = *tw_portable_builtin_schema();
  uint32_t version = std::min(forms.portableMax, schema.newest);
  bool isCommon = version >= schema.oldest && version >= forms.portableMin;
  return isCommon ? version : 0;
}

bool chooseIRForm(const IRForms &forms, llvm::StringRef wanted, IRForm &form,
                  Problem &problem) {
  uint32_t version = commonVersion(forms);
  bool takesExact = wanted.empty() || wanted == "auto" || wanted == "exact";
  bool takesPortable = wanted != "exact";
  llvm::StringRef rest = wanted;
  if (rest.consume_front("portable") && rest.consume_front(":")) {
    uint32_t asked;
    if (rest.getAsInteger(10, asked))
      takesPortable = false;
    else
      version =
          asked >= forms.portableMin && asked <= forms.portableMax ? asked : 0;
    rest = "";
  }
  if (!takesExact && (!takesPortable || !rest.empty()))
    return problem.set(TW_E_INVALID_ARGUMENT, 4106,
                       "expected auto, exact, portable or portable:<version> "
                       "for option 'ir', got '" +
                           wanted.str() + "'");
  if (takesExact && forms.readsExact) {
    form = {false, 1, exactFormat()};
    return true;
  }
  if (takesPortable && version) {
    form = {true, version, kernel::portableFormat.str()};
    return true;
  }
  const tw_portable_schema &schema = *tw_portable_builtin_schema();
  return problem.set(
      TW_E_VERSION, 5017,
      "expected a plugin that reads " +
          (!takesPortable ? std::string("Kernel IR of this build")
           : wanted.contains(':')
               ? "tw.portable " + wanted.split(':').second.str()
               : "tw.portable " + std::to_string(schema.oldest) + " to " +
                     std::to_string(schema.newest)) +
          ", got one that reads " +
          (forms.portableMax
               ? "tw.portable " + std::to_string(forms.portableMin) + " to " +
                     std::to_string(forms.portableMax)
               : std::string("no portable form")) +
          (forms.readsExact ? " and Kernel IR of this build" : ""),
      "install a compiler and a plugin that share a form, or change option "
      "'ir'");
}

bool chooseIRForm(const Backends::Backend &backend, const std::string &target,
                  llvm::StringRef wanted, IRForm &form, Problem &problem) {
  return chooseIRForm(formsOf(backend, target), wanted, form, problem);
}

} // namespace tilewright::driver
