//===- native.cpp - The Python extension over the C interfaces --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain classes over compiler.h and runtime.h for the `tilewright` package:
// no policy here, only handles, conversions and status checks. Compiling and
// waiting release the interpreter lock.
//===----------------------------------------------------------------------===//

#include "frontend/python/Dispatcher.h"
#include "frontend/python/Handles.h"
#include "frontend/python/Trace.h"

#include "tilewright/cache.h"
#include "tilewright/runtime.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace nb = nanobind;
using namespace tilewright::python;

namespace {

/// Name, file and text of each module.
using Modules = std::vector<std::tuple<std::string, std::string, std::string>>;

/// An option from a Python value: int, float, bool or str.
tw_option toOption(const std::string &key, nb::handle value,
                   std::string &storage) {
  tw_option option = {};
  option.key = toStr(key);
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  if (nb::isinstance<nb::bool_>(value) || nb::isinstance<nb::int_>(value)) {
    option.kind = TW_VALUE_INT;
    option.integer = nb::cast<int64_t>(nb::int_(value));
  } else if (nb::isinstance<nb::float_>(value)) {
    option.kind = TW_VALUE_FLOAT;
    option.number = nb::cast<double>(value);
  } else {
    storage = nb::cast<std::string>(nb::str(value));
    option.kind = TW_VALUE_TEXT;
    option.text = toStr(storage);
  }
  return option;
}

//===----------------------------------------------------------------------===//
// Compiler
//===----------------------------------------------------------------------===//

/// What one compile gave; keeps the library's result alive.
class CompileResult {
public:
  CompileResult(const tw_compile_result *result, int32_t status)
      : result(result, tw_compile_result_release), statusCode(status) {}

  int32_t status() const { return statusCode; }
  bool isFromCache() const { return result->flags & TW_RESULT_FROM_CACHE; }
  nb::bytes artifact() const {
    return nb::bytes(result->artifact.data, result->artifact.size);
  }
  std::string rendered() const { return toString(result->rendered); }
  std::string target() const { return toString(result->target); }
  /// (code, severity, message, hint, file, line, column) each.
  nb::list diagnostics() const {
    return listDiagnostics(result->diagnostics, result->diagnostic_count);
  }
  nb::list remarks() const {
    return listDiagnostics(result->remarks, result->remark_count);
  }
  nb::dict stages() const {
    nb::dict texts;
    for (uint64_t i = 0; i < result->stage_count; ++i)
      texts[nb::cast(toString(result->stages[i].name))] =
          nb::cast(toString(result->stages[i].text));
    return texts;
  }
  nb::dict timings() const {
    nb::dict seconds;
    for (uint64_t i = 0; i < result->timing_count; ++i)
      seconds[nb::cast(toString(result->timings[i].stage))] =
          nb::cast(result->timings[i].nanoseconds * 1e-9);
    return seconds;
  }

private:
  static nb::list listDiagnostics(const tw_diagnostic *const *list,
                                  uint64_t count) {
    nb::list out;
    for (uint64_t i = 0; i < count; ++i) {
      const tw_diagnostic &d = *list[i];
      const tw_location *at = d.location;
      out.append(nb::make_tuple(d.code, d.severity, toString(d.message),
                                toString(d.hint),
                                at ? toString(at->file) : std::string(),
                                at ? at->line : 0, at ? at->column : 0));
    }
    return out;
  }

  std::shared_ptr<const tw_compile_result> result;
  int32_t statusCode;
};

/// Cancels a compile where Python's handlers of signals raise, as that of
/// Ctrl-C does. They run in the main thread, so only its compiles end.
struct Interrupt {
  explicit Interrupt(tw_compile_input &input) {
    input.cancelled = [](void *ctx) -> int32_t {
      auto *self = static_cast<Interrupt *>(ctx);
      nb::gil_scoped_acquire acquire;
      if (!self->error && PyErr_CheckSignals())
        self->error.emplace();
      return self->error.has_value();
    };
    input.cancel_ctx = this;
  }

  std::optional<nb::python_error> error;
};

/// A request with what it points to; names are borrowed.
class CompileInput {
public:
  CompileInput(nb::dict optionDict, const Modules &modules,
               const Strings &stageNames)
      : texts(optionDict.size()), stages(toStrs(stageNames)) {
    keys.reserve(optionDict.size());
    for (auto [key, value] : optionDict) {
      keys.push_back(nb::cast<std::string>(key));
      options.push_back(toOption(keys.back(), value, texts[keys.size() - 1]));
    }
    for (const auto &[name, file, text] : modules)
      sources.push_back({toStr(name), toStr(file), toStr(text)});
    table.size = sizeof table;
    table.options = options.data();
    table.option_count = options.size();
    table.modules = sources.data();
    table.module_count = sources.size();
    table.stages = stages.data();
    table.stage_count = stages.size();
  }
  CompileInput(const CompileInput &) = delete;

  void name(const std::string &source, const std::string &file,
            const std::string &kernel, const std::string &signature,
            const std::string &target) {
    table.source = toStr(source);
    table.file_name = toStr(file);
    table.kernel = toStr(kernel);
    table.signature = toStr(signature);
    table.target = toStr(target);
  }

  tw_compile_input table = {};

private:
  Strings keys, texts;
  std::vector<tw_option> options;
  std::vector<tw_source_module> sources;
  std::vector<tw_str> stages;
};

class Compiler {
public:
  /// `settings`: (name, value) of the options of tw_compiler_config.
  Compiler(const Strings &pluginPaths, const Strings &searchFolders,
           const std::vector<std::pair<std::string, nb::object>> &settings) {
    std::vector<tw_str> paths = toStrs(pluginPaths);
    std::vector<tw_str> folders = toStrs(searchFolders);
    tw_compiler_config config = {};
    config.size = sizeof config;
    config.plugin_paths = paths.data();
    config.plugin_path_count = paths.size();
    config.search_folders = folders.data();
    config.search_folder_count = folders.size();
    std::vector<tw_option> options;
    Strings texts(settings.size());
    for (size_t i = 0; i < settings.size(); ++i)
      options.push_back(
          toOption(settings[i].first, settings[i].second, texts[i]));
    config.options = options.data();
    config.option_count = options.size();
    std::string error;
    tw_compiler *raw = nullptr;
    if (tw_compiler_create(&config, appendTo(error), &raw) != TW_OK)
      throw std::runtime_error(error);
    handle.reset(raw);
  }

  std::string targets() const {
    std::string text;
    tw_compiler_targets(handle.get(), appendTo(text));
    return text;
  }
  std::string pluginReport() const {
    std::string text;
    tw_compiler_plugin_report(handle.get(), appendTo(text));
    return text;
  }
  /// Begins to load what compiles for a target.
  void prepare(const std::string &target) const {
    tw_compiler_prepare(handle.get(), toStr(target));
  }
  /// The resolved spelling, or "" when no plugin knows the target.
  std::string resolveTarget(const std::string &target) const {
    std::string text;
    tw_compiler_resolve_target(handle.get(), toStr(target), nullptr,
                               appendTo(text));
    return text;
  }

  CompileResult compile(const std::string &source, const std::string &file,
                        const std::string &kernel, const std::string &signature,
                        const std::string &target, nb::dict options,
                        const Modules &modules, const Strings &stages,
                        bool cachedOnly) {
    CompileInput input(options, modules, stages);
    input.name(source, file, kernel, signature, target);
    input.table.flags = cachedOnly ? TW_COMPILE_CACHED_ONLY : 0;
    const tw_compile_result *result = nullptr;
    int32_t status;
    Interrupt interrupt(input.table);
    {
      nb::gil_scoped_release release;
      status = tw_compile(handle.get(), &input.table, &result);
    }
    if (interrupt.error) {
      tw_compile_result_release(result);
      throw nb::python_error(std::move(*interrupt.error));
    }
    if (!result)
      throw std::runtime_error("the compiler refused the request (status " +
                               std::to_string(status) + ")");
    return {result, status};
  }

  /// The JSON of tw_compiler_fits.
  std::string fits(const std::string &source, const std::string &file,
                   const std::string &kernel, const std::string &signature,
                   const std::string &target, nb::dict options,
                   const Modules &modules) {
    CompileInput input(options, modules, {});
    input.name(source, file, kernel, signature, target);
    std::string answer;
    int32_t status;
    {
      nb::gil_scoped_release release;
      status = tw_compiler_fits(handle.get(), &input.table, appendTo(answer));
    }
    if (status != TW_OK)
      throw std::runtime_error("the compiler refused the request (status " +
                               std::to_string(status) + ")");
    return answer;
  }

private:
  struct Release {
    void operator()(tw_compiler *c) const { tw_compiler_release(c); }
  };
  std::unique_ptr<tw_compiler, Release> handle;
};

//===----------------------------------------------------------------------===//
// Runtime
//===----------------------------------------------------------------------===//

static tw_rt_value toValue(nb::handle from) {
  tw_rt_value value = {};
  if (nb::isinstance<nb::tuple>(from)) {
    nb::tuple pair = nb::borrow<nb::tuple>(from);
    value.kind = TW_RT_VALUE_ADDRESS;
    value.address = nb::cast<uint64_t>(pair[0]);
    value.bytes = nb::cast<uint64_t>(pair[1]);
  } else if (nb::isinstance<nb::float_>(from)) {
    value.kind = TW_RT_VALUE_FLOAT;
    value.number = nb::cast<double>(from);
  } else {
    value.kind = TW_RT_VALUE_INT;
    int overflow = 0;
    nb::int_ number(from);
    value.integer = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow > 0) {
      value.kind = TW_RT_VALUE_UINT;
      value.address = PyLong_AsUnsignedLongLong(number.ptr());
    }
    if (PyErr_Occurred())
      throw nb::python_error();
  }
  return value;
}

static std::vector<tw_rt_value> toValues(nb::tuple arguments) {
  std::vector<tw_rt_value> values(arguments.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = toValue(arguments[i]);
  return values;
}

/// (name, dtype number, is pointer) of every run-time argument.
static nb::list listArguments(const tw_rt_kernel *kernel) {
  nb::list out;
  for (uint32_t i = 0; i < tw_rt_kernel_argument_count(kernel); ++i) {
    tw_rt_argument argument = {};
    argument.size = sizeof argument;
    check(tw_rt_kernel_argument(kernel, i, &argument));
    out.append(nb::make_tuple(toString(argument.name), argument.dtype,
                              argument.pointer != 0));
  }
  return out;
}

/// Values are ints, floats, or (address, bytes) for pointers. Without a native
/// stream the launch goes to the device's own and is waited for.
static void launchKernel(const Kernel &kernel, int64_t x, int64_t y, int64_t z,
                         nb::tuple arguments, NativeStream native) {
  std::vector<tw_rt_value> values = toValues(arguments);
  kernel.launch({x, y, z}, values.data(), values.size(), native);
  ++launchCount;
}

/// Memory of a device.
class Buffer {
public:
  Buffer(std::shared_ptr<DeviceState> device,
         std::shared_ptr<tw_rt_buffer> buffer)
      : device(std::move(device)), buffer(std::move(buffer)) {}

  uint64_t address() const { return tw_rt_buffer_address(buffer.get()); }
  uint64_t bytes() const { return tw_rt_buffer_bytes(buffer.get()); }
  /// Copies all bytes from or to an address of the host, and waits.
  void write(uint64_t host) const {
    check(tw_rt_buffer_write(device->ownStream(), buffer.get(), 0,
                             reinterpret_cast<const void *>(host), bytes()));
    check(tw_rt_stream_synchronize(device->ownStream()));
  }
  void read(uint64_t host) const {
    check(tw_rt_buffer_read(device->ownStream(), buffer.get(), 0,
                            reinterpret_cast<void *>(host), bytes()));
    check(tw_rt_stream_synchronize(device->ownStream()));
  }

private:
  std::shared_ptr<DeviceState> device;
  std::shared_ptr<tw_rt_buffer> buffer;
};

/// The same, made ready to be launched again and again.
static PreparedLaunch prepareLaunch(const Kernel &kernel, int64_t x, int64_t y,
                                    int64_t z, nb::tuple arguments,
                                    int32_t torchDevice) {
  return {kernel, {x, y, z}, toValues(arguments), torchDevice};
}

/// One device with one stream of its own.
class Device {
public:
  Device(const std::string &target, const Strings &pluginPaths,
         const Strings &searchFolders, int threads)
      : state(std::make_shared<DeviceState>(target, pluginPaths, searchFolders,
                                            threads)) {}

  Kernel load(nb::bytes artifactBytes, const std::string &kernelName) const {
    tw_rt_artifact *rawArtifact = nullptr;
    check(tw_rt_artifact_load(state->get(),
                              {artifactBytes.data(), artifactBytes.size()},
                              &rawArtifact));
    auto artifact = own<tw_rt_artifact, tw_rt_artifact_release>(rawArtifact);
    tw_rt_kernel *rawKernel = nullptr;
    check(tw_rt_kernel_find(artifact.get(), toStr(kernelName), &rawKernel));
    return {state, own<tw_rt_kernel, tw_rt_kernel_release>(rawKernel)};
  }
  BundleKernel loadBundle(nb::bytes bundleBytes,
                          const std::string &kernelName) const {
    tw_rt_bundle *rawBundle = nullptr;
    check(tw_rt_bundle_load(
        state->get(), {bundleBytes.data(), bundleBytes.size()}, &rawBundle));
    auto bundle = own<tw_rt_bundle, tw_rt_bundle_release>(rawBundle);
    tw_rt_dispatch *raw = nullptr;
    check(tw_rt_bundle_find(bundle.get(), toStr(kernelName), &raw));
    return {state, own<tw_rt_dispatch, tw_rt_dispatch_release>(raw)};
  }
  Buffer allocate(uint64_t bytes) const {
    tw_rt_buffer *raw = nullptr;
    check(tw_rt_buffer_create(state->get(), bytes, &raw));
    return {state, own<tw_rt_buffer, tw_rt_buffer_release>(raw)};
  }
  std::string name() const {
    std::string text;
    check(tw_rt_device_name(state->get(), appendTo(text)));
    return text;
  }
  /// (whether it is known, number, text) of a TW_CAP_*.
  nb::tuple capability(uint32_t id) const {
    uint32_t answer = 0;
    int64_t value = 0;
    tw_str text = {};
    check(tw_rt_device_capability(state->get(), id, &answer, &value, &text));
    return nb::make_tuple(answer != 0, value,
                          text.size ? toString(text) : std::string());
  }
  /// Waits for a native stream, or for the device's own.
  void synchronize(NativeStream native) const {
    tw_rt_stream *stream =
        native ? state->wrapped(*native) : state->ownStream();
    int32_t status;
    {
      nb::gil_scoped_release release;
      status = tw_rt_stream_synchronize(stream);
    }
    check(status);
  }

private:
  std::shared_ptr<DeviceState> state;
};

} // namespace

NB_MODULE(_native, m) {
  // Kernels live in globals of modules, which Python may not clear at its end.
  nb::set_leak_warnings(false);
  m.doc() = "Handles of Tilewright's compiler and runtime libraries.";
  static nb::object failureType = nb::steal(PyErr_NewException(
      "tilewright._native.RuntimeFailure", PyExc_RuntimeError, nullptr));
  m.attr("RuntimeFailure") = failureType;
  nb::register_exception_translator(
      [](const std::exception_ptr &pointer, void *) {
        try {
          std::rethrow_exception(pointer);
        } catch (const RuntimeFailure &failure) {
          nb::tuple arguments =
              nb::make_tuple(failure.code, failure.message, failure.hint);
          PyErr_SetObject(failureType.ptr(), arguments.ptr());
        }
      });

  nb::class_<CompileResult>(m, "CompileResult")
      .def_prop_ro("status", &CompileResult::status)
      .def_prop_ro("is_from_cache", &CompileResult::isFromCache)
      .def_prop_ro("artifact", &CompileResult::artifact)
      .def_prop_ro("rendered", &CompileResult::rendered)
      .def_prop_ro("target", &CompileResult::target)
      .def_prop_ro("diagnostics", &CompileResult::diagnostics)
      .def_prop_ro("remarks", &CompileResult::remarks)
      .def_prop_ro("stages", &CompileResult::stages)
      .def_prop_ro("timings", &CompileResult::timings);
  m.def("default_cache_folder", [] {
    std::string text;
    tw_cache_default_folder(appendTo(text));
    return text;
  });
  nb::class_<Compiler>(m, "Compiler")
      .def(nb::init<const Strings &, const Strings &,
                    const std::vector<std::pair<std::string, nb::object>> &>(),
           nb::arg("plugin_paths") = Strings{},
           nb::arg("search_folders") = Strings{},
           nb::arg("settings") = nb::list())
      .def("targets", &Compiler::targets)
      .def("plugin_report", &Compiler::pluginReport)
      .def("prepare", &Compiler::prepare)
      .def("resolve_target", &Compiler::resolveTarget)
      .def("compile", &Compiler::compile, nb::arg("source"), nb::arg("file"),
           nb::arg("kernel"), nb::arg("signature"), nb::arg("target"),
           nb::arg("options"), nb::arg("modules"), nb::arg("stages"),
           nb::arg("cached_only") = false)
      .def("fits", &Compiler::fits, nb::arg("source"), nb::arg("file"),
           nb::arg("kernel"), nb::arg("signature"), nb::arg("target"),
           nb::arg("options"), nb::arg("modules"));
  nb::class_<Kernel>(m, "Kernel")
      .def("arguments",
           [](const Kernel &kernel) { return listArguments(kernel.get()); })
      .def("launch", &launchKernel, nb::arg("x"), nb::arg("y"), nb::arg("z"),
           nb::arg("arguments"), nb::arg("stream") = nb::none())
      .def(
          "launch_traced",
          [](const Kernel &kernel, int64_t x, int64_t y, int64_t z,
             nb::tuple arguments, nb::object follow) {
            launchTraced(kernel, {x, y, z}, toValues(arguments), follow);
          },
          nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("arguments"),
          nb::arg("follow"))
      .def("prepare", &prepareLaunch, nb::arg("x"), nb::arg("y"), nb::arg("z"),
           nb::arg("arguments"), nb::arg("torch_device") = -1);
  nb::class_<BundleKernel>(m, "BundleKernel")
      .def("arguments",
           [](const BundleKernel &k) { return listArguments(k.get()); })
      .def(
          "launch",
          [](const BundleKernel &kernel, nb::tuple arguments,
             NativeStream native) {
            std::vector<tw_rt_value> values = toValues(arguments);
            ++launchCount;
            return kernel.launch(values.data(), values.size(), native);
          },
          nb::arg("arguments"), nb::arg("stream") = nb::none());
  nb::class_<Buffer>(m, "Buffer")
      .def_prop_ro("address", &Buffer::address)
      .def_prop_ro("bytes", &Buffer::bytes)
      .def("write", &Buffer::write, nb::arg("host"))
      .def("read", &Buffer::read, nb::arg("host"));
  nb::class_<Device>(m, "Device")
      .def(nb::init<const std::string &, const Strings &, const Strings &,
                    int>(),
           nb::arg("target"), nb::arg("plugin_paths") = Strings{},
           nb::arg("search_folders") = Strings{}, nb::arg("threads") = 0)
      .def("load", &Device::load, nb::arg("artifact"), nb::arg("kernel"))
      .def("load_bundle", &Device::loadBundle, nb::arg("bundle"),
           nb::arg("kernel"))
      .def("allocate", &Device::allocate, nb::arg("bytes"))
      .def("name", &Device::name)
      .def("capability", &Device::capability, nb::arg("id"))
      .def("synchronize", &Device::synchronize, nb::arg("stream") = nb::none());
  m.def(
      "names",
      [](const std::string &prefix) {
        std::string text;
        tw_compiler_names({prefix.data(), prefix.size()}, appendTo(text));
        return text;
      },
      nb::arg("prefix"),
      "The functions of the language whose names start so, one a line.");
  m.def("torch_stream", [](int32_t device) -> NativeStream {
    uint64_t stream = 0;
    if (!currentTorchStream(device, stream))
      return std::nullopt;
    return stream;
  });
  bindCallables(m);
}
