//===- Artifact.cpp - Owner of a compile response ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C views over the owned data; made once, when nothing moves any more.
//===----------------------------------------------------------------------===//
#include "backends/common/Artifact.h"

#include "llvm/Config/llvm-config.h"

namespace tilewright::backend {

void Artifact::buildViews() {
  for (const KernelRecord &record : records)
    recordViews.push_back(record.view());
  for (const tw_kernel_record &view : recordViews)
    recordPointers.push_back(&view);
  for (const auto &[name, text] : stages)
    stageViews.push_back({toStr(name), toStr(text)});
  for (const Report::Remark &remark : remarks) {
    tw_diagnostic view{};
    view.size = sizeof view;
    view.severity = TW_SEVERITY_REMARK;
    view.message = toStr(remark.message);
    view.location = viewLocation(remark.chain, locations);
    remarkViews.push_back(view);
  }
  for (const tw_diagnostic &view : remarkViews)
    remarkPointers.push_back(&view);
  auto addTool = [&](const std::string &name, tw_str version) {
    tw_option tool{};
    tool.key = toStr(name);
    tool.kind = TW_VALUE_TEXT;
    tool.text = version;
    toolViews.push_back(tool);
  };
  for (const std::string &name : tools)
    addTool(name, tw_string(LLVM_VERSION_STRING));
  for (const auto &[name, version] : otherTools)
    addTool(name, toStr(version));
}

void Artifact::publish(std::unique_ptr<Artifact> artifact,
                       tw_compile_response &response) {
  artifact->buildViews();
  response.format = toStr(artifact->format);
  response.payload = {artifact->payload.data(), artifact->payload.size()};
  response.kernels = artifact->recordPointers.data();
  response.kernel_count = artifact->recordPointers.size();
  response.stages = artifact->stageViews.data();
  response.stage_count = artifact->stageViews.size();
  response.remarks = artifact->remarkPointers.data();
  response.remark_count = artifact->remarkPointers.size();
  response.compat = toStr(artifact->compat);
  response.tools = artifact->toolViews.data();
  response.tool_count = artifact->toolViews.size();
  response.release = [](void *ctx) { delete static_cast<Artifact *>(ctx); };
  response.release_ctx = artifact.release();
}

} // namespace tilewright::backend
