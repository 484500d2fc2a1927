//===- ConversionBatch.cpp - Random conversions on OpenCL -----------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission with SPIR-V's hooks, and the few calls of OpenCL that run a kernel
// on two buffers.
//===----------------------------------------------------------------------===//
#include "ConversionBatch.h"

#include "machine/PlaceShared.h"
#include "machine/RandomConversion.h"

#include "backends/simt/emit/Emitter.h"
#include "backends/spirv/codegen/Codegen.h"
#include "backends/spirv/driver/KernelABI.h"
#include "backends/spirv/hooks/SpirvHooks.h"
#include "backends/spirv/opencl/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/Module.h"

namespace tilewright::simt::test {

ConversionDevice::~ConversionDevice() = default;

namespace {

/// One kernel of a module.
struct Entry {
  std::string symbol;
  RandomConversion conversion;
  unsigned threads;
};

class OpenCLDevice : public ConversionDevice {
public:
  OpenCLDevice(const opencl::Api &api, opencl::Device device,
               spirv::Target target)
      : api(api), device(std::move(device)), target(std::move(target)) {
    cl_int status;
    context = api.clCreateContext(nullptr, 1, &this->device.id, nullptr,
                                  nullptr, &status);
    queue = api.clCreateCommandQueueWithProperties(context, this->device.id,
                                                   nullptr, &status);
  }
  ~OpenCLDevice() override {
    api.clReleaseCommandQueue(queue);
    api.clReleaseContext(context);
  }

  std::string name() const override {
    return device.name + " (" + device.ilVersions + ")";
  }
  std::string run(unsigned first, unsigned count) override;

private:
  std::string compile(std::vector<Entry> &entries, unsigned first,
                      unsigned count, spirv::Words &words);
  std::string runKernel(cl_program program, const Entry &entry);

  const opencl::Api &api;
  opencl::Device device;
  spirv::Target target;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

} // namespace

std::unique_ptr<ConversionDevice> openDevice(std::string &why) {
  const opencl::Api *api = opencl::openApi(why);
  if (!api)
    return nullptr;
  opencl::Discovery found = opencl::discoverDevices();
  if (found.devices.empty() || !found.devices[0].takesIL()) {
    why = "no device takes SPIR-V: " + found.problem;
    return nullptr;
  }
  spirv::Problem problem;
  auto target = spirv::resolveTarget("spirv-sg", problem);
  if (!target) {
    why = problem.message;
    return nullptr;
  }
  return std::make_unique<OpenCLDevice>(*api, found.devices[0], *target);
}

/// Renames the module's only kernel.
static mlir::func::FuncOp onlyKernel(mlir::ModuleOp module,
                                     const std::string &symbol) {
  auto kernel = *module.getOps<mlir::func::FuncOp>().begin();
  kernel.setSymName(symbol);
  return kernel;
}

std::string OpenCLDevice::compile(std::vector<Entry> &entries, unsigned first,
                                  unsigned count, spirv::Words &words) {
  llvm::LLVMContext llvmContext;
  llvm::Module code("conversions", llvmContext);
  for (unsigned seed = first; seed < first + count; ++seed) {
    LayoutGenerator generate(seed);
    spirv::Target shaped = target;
    if (generate.below(8) == 0)
      shaped.traits.localBytes = 1024; // conversions in rounds
    spirv::SpirvHooks hooks(shaped);
    MachineOptions options;
    options.lanes = hooks.target().warpLanes();
    options.hasShuffles = hooks.hasShuffles();
    options.numWarps = 1u << generate.below(3);
    options.sharedBytes = hooks.target().sharedBytes;
    RandomConversion conversion(generate, 1 + seed % 5, options);
    auto mlirContext = createContext();
    auto module = placeShared(*mlirContext, conversion.text, options);
    if (!module)
      return "seed " + std::to_string(seed) + " has no barriers placed";
    EmitOptions emit;
    emit.numWarps = options.numWarps;
    std::string symbol = "k" + std::to_string(seed);
    if (!Emitter(code, hooks, emit).run(onlyKernel(*module, symbol)))
      return "seed " + std::to_string(seed) + " is not emitted";
    entries.push_back(
        {symbol, std::move(conversion), options.numWarps * options.lanes});
  }
  std::string said;
  tw_sink sink = {sizeof(tw_sink), 0, &said,
                  [](void *said, const tw_diagnostic *diagnostic) {
                    *static_cast<std::string *>(said) +=
                        std::string(diagnostic->message.data,
                                    diagnostic->message.size) +
                        "\n";
                  }};
  spirv::Report report(&sink);
  auto generated = spirv::generateCode(code, target, {}, report);
  if (!generated)
    return "no code is generated: " + said;
  words = std::move(generated->words);
  return "";
}

std::string OpenCLDevice::runKernel(cl_program program, const Entry &entry) {
  cl_int status;
  size_t bytes = entry.conversion.bytes;
  LayoutGenerator generate(bytes);
  Bytes source = randomBytes(generate, bytes), result(bytes, 0);
  Bytes launch(4096, 0);
  cl_mem buffers[3];
  Bytes *hosts[] = {&source, &result, &launch};
  for (unsigned i = 0; i < 3; ++i)
    buffers[i] =
        api.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           hosts[i]->size(), hosts[i]->data(), &status);
  cl_kernel kernel = api.clCreateKernel(program, entry.symbol.c_str(), &status);
  if (status != CL_SUCCESS)
    return entry.symbol + ": " + opencl::statusName(status);
  unsigned next = 0;
  cl_ulong zero = 0;
  for (cl_mem &buffer : buffers) {
    api.clSetKernelArg(kernel, next++, sizeof(cl_mem), &buffer);
    if (!target.traits.hasAddresses)
      api.clSetKernelArg(kernel, next++, sizeof(zero), &zero);
  }
  size_t threads = entry.threads;
  status = api.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &threads,
                                      &threads, 0, nullptr, nullptr);
  if (status == CL_SUCCESS)
    status = api.clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, bytes,
                                     result.data(), 0, nullptr, nullptr);
  for (cl_mem buffer : buffers)
    api.clReleaseMemObject(buffer);
  api.clReleaseKernel(kernel);
  if (status != CL_SUCCESS)
    return entry.symbol + ": " + opencl::statusName(status);
  return source == result
             ? ""
             : entry.symbol + " is wrong:\n" + entry.conversion.text;
}

std::string OpenCLDevice::run(unsigned first, unsigned count) {
  std::vector<Entry> entries;
  spirv::Words words;
  std::string fault = compile(entries, first, count, words);
  if (!fault.empty())
    return fault;
  cl_int status;
  cl_program program = api.clCreateProgramWithIL(
      context, words.data(), words.size() * sizeof(uint32_t), &status);
  if (status == CL_SUCCESS)
    status = api.clBuildProgram(program, 1, &device.id, "", nullptr, nullptr);
  if (status != CL_SUCCESS)
    return "the driver refuses the module: " + opencl::statusName(status);
  for (const Entry &entry : entries) {
    fault = runKernel(program, entry);
    if (!fault.empty())
      break;
  }
  api.clReleaseProgram(program);
  return fault;
}

} // namespace tilewright::simt::test
