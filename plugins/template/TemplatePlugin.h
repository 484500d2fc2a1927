//===- TemplatePlugin.h - The template's objects and tables -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this plugin share. README.md says what to change first.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEMPLATE_TEMPLATEPLUGIN_H
#define TILEWRIGHT_TEMPLATE_TEMPLATEPLUGIN_H

#include "tilewright/sdk/Compile.h"
#include "tilewright/sdk/Entry.h"
#include "tilewright/sdk/HostRuntime.h"
#include "tilewright/sdk/Target.h"

namespace tilewright::template_ {

/// The word before ':' in a target, and the one architecture behind it.
constexpr const char *kVendor = "template";
constexpr const char *kArch = "host";
constexpr const char *kBuildId = "template 0.1";
constexpr const char *kPayloadFormat = "template-so";

/// Memory for the tiles of one program: each stream has one such frame. It is
/// reserved when the stream is made and used page by page.
constexpr uint64_t kFrameBytes = uint64_t(256) << 20;

extern const tw_compile_table compileTable;
extern const tw_runtime_table runtimeTable;
extern const tw_launch_table launchTable;
extern const tw_override_table overrideTable;

/// Answers what holds for device and target alike.
void answerCapabilities(tw_capability *caps, uint64_t count);

/// Says whether a payload runs here: format, ABI and processor.
std::string compatText();

// Slots of the runtime table that concern payloads (Launch.cpp).
int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module);
void unloadModule(tw_module *module);
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade);

} // namespace tilewright::template_

/// The plugin's state: whatever the host lends. Never global.
struct tw_backend {
  const tw_print_interface *printer = nullptr;
};

struct tw_device {
  tw_backend *backend;
};

namespace tilewright::template_ {
/// Every tw_stream of this plugin is one.
struct Stream : tw_stream {
  unsigned char *frame = nullptr;
  const tw_print_interface *printer = nullptr;
  ~Stream() override;
};
} // namespace tilewright::template_

#endif // TILEWRIGHT_TEMPLATE_TEMPLATEPLUGIN_H
