// Runs a kernel that was compiled when this program was built: no compiler, no
// Python, no LLVM at run time.
#include "add_kernel.h"

#include "tilewright/runtime.hpp"

#include <cstdio>
#include <vector>

int main() {
  const int count = 100000;
  std::vector<float> x(count), y(count), out(count);
  for (int i = 0; i < count; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 2.0f * static_cast<float>(i);
  }
  try {
    tilewright::Context context;
    tilewright::Device device = context.open("cpu");
    tilewright::Kernel kernel =
        device.loadBytes(add_kernel_cpu_twa, add_kernel_cpu_twa_size).kernel();
    uint64_t bytes = count * sizeof(float);
    tilewright::Buffer a = device.wrap(x.data(), bytes);
    tilewright::Buffer b = device.wrap(y.data(), bytes);
    tilewright::Buffer c = device.wrap(out.data(), bytes);
    tilewright::Stream stream = device.stream();
    kernel.launch(stream, {(count + 1023) / 1024}, a, b, c, count);
    stream.synchronize();
    for (int i = 0; i < count; ++i)
      if (out[i] != x[i] + y[i]) {
        std::fprintf(stderr, "expected %g at %d, got %g\n", x[i] + y[i], i,
                     out[i]);
        return 1;
      }
    std::printf("added %d numbers on %s\n", count, device.name().c_str());
  } catch (const tilewright::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
