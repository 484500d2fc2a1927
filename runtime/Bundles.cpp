//===- Bundles.cpp - Choosing among the artifacts of a bundle ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads what fits the device; a launch takes the first variant whose condition
// and facts hold, over the grid that its expressions give.
//===----------------------------------------------------------------------===//
#include "runtime/State.h"
#include "runtime/artifact/Bundle.h"

#include "tilewright/expression.h"

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

struct ReleaseArtifact {
  void operator()(tw_rt_artifact *artifact) const {
    tw_rt_artifact_release(artifact);
  }
};
struct ReleaseKernel {
  void operator()(tw_rt_kernel *kernel) const { tw_rt_kernel_release(kernel); }
};

} // namespace

struct tw_rt_bundle {
  artifact::Bundle content;
  /// Null for those of other devices.
  std::vector<std::unique_ptr<tw_rt_artifact, ReleaseArtifact>> artifacts;
};

/// The variants of one kernel that this device can run, in order.
struct tw_rt_dispatch {
  struct Row {
    std::unique_ptr<tw_rt_kernel, ReleaseKernel> kernel;
    std::array<artifact::Bytes, 3> grid;
    artifact::Bytes when;
    std::string signature;
  };
  std::string name;
  std::vector<Row> rows;
};

//===--- Loading ----------------------------------------------------------===//

static int32_t loadBundle(tw_rt_device *device, tw_bytes bytes,
                          tw_rt_bundle **result) {
  Problem problem;
  std::optional<artifact::Bundle> content =
      artifact::readBundle(bytes, problem);
  if (!content)
    return fail(std::move(problem));
  auto bundle = std::make_unique<tw_rt_bundle>();
  bool isAnyLoaded = false;
  for (artifact::Bytes &file : content->artifacts) {
    tw_rt_artifact *loaded = nullptr;
    int32_t status =
        tw_rt_artifact_load(device, {file.data(), file.size()}, &loaded);
    // Those for other devices are left aside, damaged ones are not.
    if (status != TW_OK && status != TW_E_PRECONDITION)
      return status;
    isAnyLoaded |= loaded != nullptr;
    bundle->artifacts.emplace_back(loaded);
    file = {};
  }
  if (!isAnyLoaded) {
    std::set<std::string> targets;
    for (const artifact::BundleVariant &variant : content->variants)
      targets.insert(variant.target);
    std::string list;
    for (const std::string &target : targets)
      list += (list.empty() ? "" : ", ") + target;
    return fail(TW_E_PRECONDITION, 6062,
                "no artifact of the bundle fits this device: it has " + list,
                "add the device's target when the bundle is made");
  }
  bundle->content = std::move(*content);
  *result = bundle.release();
  return TW_OK;
}

extern "C" int32_t tw_rt_bundle_load(tw_rt_device *device, tw_bytes bytes,
                                     tw_rt_bundle **bundle) {
  return guarded([&]() -> int32_t {
    if (!device || !bundle || (!bytes.data && bytes.size))
      return failNull("a device, bytes and a place for the bundle");
    return loadBundle(device, bytes, bundle);
  });
}

extern "C" int32_t tw_rt_bundle_load_file(tw_rt_device *device, tw_str path,
                                          tw_rt_bundle **bundle) {
  return guarded([&]() -> int32_t {
    if (!device || !bundle)
      return failNull("a device and a place for the bundle");
    Problem problem;
    auto bytes = artifact::readFile(toString(path), problem);
    if (!bytes)
      return fail(std::move(problem));
    return loadBundle(device, {bytes->data(), bytes->size()}, bundle);
  });
}

extern "C" void tw_rt_bundle_release(tw_rt_bundle *bundle) { delete bundle; }

extern "C" int32_t tw_rt_bundle_manifest(tw_rt_bundle *bundle, tw_writer out) {
  return guarded([&]() -> int32_t {
    if (!bundle || !out.write)
      return failNull("a bundle and a writer");
    std::string text = artifact::bundleManifest(bundle->content, 2) + "\n";
    out.write(out.ctx, text.data(), text.size());
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_bundle_pack(tw_str manifest, const tw_bytes *artifacts,
                                     uint64_t count, tw_writer out) {
  return guarded([&]() -> int32_t {
    if (!artifacts || !out.write)
      return failNull("artifacts and a writer");
    Problem problem;
    artifact::Bundle bundle;
    if (!artifact::readBundleManifest({manifest.data, manifest.size}, count,
                                      bundle, problem))
      return fail(std::move(problem));
    for (uint64_t i = 0; i < count; ++i) {
      if (!artifact::readArtifact(artifacts[i], problem))
        return fail(std::move(problem));
      const auto *start = static_cast<const uint8_t *>(artifacts[i].data);
      bundle.artifacts.emplace_back(start, start + artifacts[i].size);
    }
    artifact::Bytes file = artifact::writeBundle(bundle);
    out.write(out.ctx, reinterpret_cast<const char *>(file.data()),
              file.size());
    return TW_OK;
  });
}

//===--- Kernels ----------------------------------------------------------===//

/// Whether two kernels take the same arguments.
static bool agree(const tw_rt_kernel &a, const tw_rt_kernel &b) {
  if (a.argumentCount != b.argumentCount)
    return false;
  for (uint32_t i = 0; i < a.argumentCount; ++i) {
    const artifact::Parameter &one = a.variants[0].record->parameters[i];
    const artifact::Parameter &other = b.variants[0].record->parameters[i];
    if (one.name != other.name || one.kind != other.kind ||
        one.dtype != other.dtype)
      return false;
  }
  return true;
}

static int32_t addRow(const tw_rt_bundle &bundle,
                      const artifact::BundleVariant &variant,
                      tw_rt_dispatch &dispatch) {
  tw_rt_kernel *found = nullptr;
  if (int32_t status =
          tw_rt_kernel_find(bundle.artifacts[variant.artifact].get(),
                            toStr(variant.kernel), &found))
    return status;
  tw_rt_dispatch::Row row;
  row.kernel.reset(found);
  row.grid = variant.grid;
  row.when = variant.when;
  row.signature = variant.signature;
  auto isLegal = [&](const artifact::Bytes &code) {
    return tw_expr_check({code.data(), code.size()}, found->argumentCount);
  };
  bool good = row.when.empty() || isLegal(row.when);
  for (const artifact::Bytes &axis : row.grid)
    good &= bool(isLegal(axis));
  if (!good)
    return fail(TW_E_DATA_LOSS, 7106,
                "malformed manifest of a bundle: an expression is not legal",
                "make the bundle again");
  if (!dispatch.rows.empty() && !agree(*dispatch.rows[0].kernel, *found))
    return fail(TW_E_DATA_LOSS, 7109,
                "the variants of kernel '" + variant.kernel +
                    "' take different arguments",
                "make the bundle again with equal ones");
  dispatch.rows.push_back(std::move(row));
  return TW_OK;
}

extern "C" int32_t tw_rt_bundle_find(tw_rt_bundle *bundle, tw_str text,
                                     tw_rt_dispatch **result) {
  return guarded([&]() -> int32_t {
    if (!bundle || !result)
      return failNull("a bundle and a place for the kernel");
    auto dispatch = std::make_unique<tw_rt_dispatch>();
    dispatch->name = toString(text);
    std::set<std::string> names;
    for (const artifact::BundleVariant &variant : bundle->content.variants)
      if (bundle->artifacts[variant.artifact])
        names.insert(variant.kernel);
    if (dispatch->name.empty() && names.size() == 1)
      dispatch->name = *names.begin();
    if (!names.count(dispatch->name)) {
      std::string list;
      for (const std::string &name : names)
        list += (list.empty() ? "" : ", ") + name;
      return fail(TW_E_NOT_FOUND, 6010,
                  "the bundle has no kernel '" + dispatch->name +
                      "' for this device",
                  "its kernels here: " + list);
    }
    for (const artifact::BundleVariant &variant : bundle->content.variants)
      if (variant.kernel == dispatch->name &&
          bundle->artifacts[variant.artifact])
        if (int32_t status = addRow(*bundle, variant, *dispatch))
          return status;
    *result = dispatch.release();
    return TW_OK;
  });
}

extern "C" void tw_rt_dispatch_release(tw_rt_dispatch *dispatch) {
  delete dispatch;
}

extern "C" const tw_rt_kernel *
tw_rt_dispatch_kernel(const tw_rt_dispatch *dispatch) {
  return dispatch ? dispatch->rows[0].kernel.get() : nullptr;
}

//===--- Launching --------------------------------------------------------===//

/// What expressions see of a value.
static int64_t integerOf(const tw_rt_value &value) {
  switch (value.kind) {
  case TW_RT_VALUE_INT:
    return value.integer;
  case TW_RT_VALUE_UINT:
  case TW_RT_VALUE_ADDRESS:
    return tw_expr_wrap(value.address);
  case TW_RT_VALUE_BUFFER:
    return value.buffer ? tw_expr_wrap(value.buffer->address) + value.integer
                        : 0;
  default:
    return 0;
  }
}

/// The grid of a row; false where its condition does not hold.
static bool findGrid(const tw_rt_dispatch::Row &row, const tw_expr_input &input,
                     tw_rt_grid &grid) {
  int64_t value = 1;
  auto evaluate = [&](const artifact::Bytes &code, int64_t &out) {
    return tw_expr_evaluate({code.data(), code.size()}, &input, &out) != 0;
  };
  if (!row.when.empty() && (!evaluate(row.when, value) || value == 0))
    return false;
  return evaluate(row.grid[0], grid.x) && evaluate(row.grid[1], grid.y) &&
         evaluate(row.grid[2], grid.z);
}

/// Launches; an empty grid, which launches nothing, says nothing about the
/// facts, so they are looked at apart.
static int32_t launchRow(tw_rt_stream *stream, const tw_rt_dispatch::Row &row,
                         const tw_rt_grid &grid, const tw_rt_value *values,
                         uint64_t count) {
  if (grid.x && grid.y && grid.z)
    return tw_rt_launch(stream, row.kernel.get(), &grid, values, count);
  tw_rt_grid one = {1, 1, 1};
  tw_rt_call *call = nullptr;
  int32_t status =
      tw_rt_call_create(row.kernel.get(), &one, values, count, &call);
  tw_rt_call_release(call);
  return status ? status
                : tw_rt_launch(stream, row.kernel.get(), &grid, values, count);
}

/// Whether a launch failed because a fact does not hold.
static bool isRefused(int32_t status) {
  tw_rt_error error = {};
  error.size = sizeof error;
  return status == TW_E_PRECONDITION && tw_rt_last_error(&error) == TW_OK &&
         error.code == 6006;
}

extern "C" int32_t tw_rt_dispatch_launch(tw_rt_stream *stream,
                                         const tw_rt_dispatch *dispatch,
                                         const tw_rt_value *values,
                                         uint64_t count, uint32_t *chosen) {
  return guarded([&]() -> int32_t {
    if (!stream || !dispatch || (!values && count))
      return failNull("a stream, a kernel of a bundle and values");
    tw_rt_kernel *first = dispatch->rows[0].kernel.get();
    if (count != first->argumentCount) {
      tw_rt_grid one = {1, 1, 1}; // says which arguments are expected
      return tw_rt_launch(stream, first, &one, values, count);
    }
    std::vector<int64_t> integers;
    for (uint64_t i = 0; i < count; ++i)
      integers.push_back(integerOf(values[i]));
    tw_expr_input input = {integers.data(), count, {1, 1, 1}};
    std::string tried;
    for (uint32_t i = 0; i < dispatch->rows.size(); ++i) {
      const tw_rt_dispatch::Row &row = dispatch->rows[i];
      tw_rt_grid grid = {};
      if (findGrid(row, input, grid)) {
        int32_t status = launchRow(stream, row, grid, values, count);
        if (!isRefused(status)) {
          if (chosen)
            *chosen = i;
          return status;
        }
      }
      tried += (tried.empty() ? "" : "; ") + row.signature;
    }
    return fail(TW_E_PRECONDITION, 6063,
                "no variant of kernel '" + dispatch->name +
                    "' takes these arguments: " + tried,
                "add a variant without facts to the bundle");
  });
}
