// clang-format off
// Launches a kernel from a HIP program, without Tilewright's runtime:
//
//   tilewright compile add.py --target amd:gfx942 -o add.twa \
//     --sig "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024"
//   g++ -D__HIP_PLATFORM_AMD__ hip_launch.cpp -I"$PREFIX/include" -lamdhip64 -o hip_launch
//   ./hip_launch add.twa
//
// $PREFIX is where Tilewright is installed.
// clang-format on
#include <hip/hip_runtime_api.h>
#include <tilewright/hip.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

static void check(hipError_t status) {
  if (status == hipSuccess)
    return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(status));
  std::exit(1);
}

// The kernel's arguments as its signature has them, then the grid.
struct Arguments {
  float *x, *y, *out;
  int n;
  tw_hip_grid grid;
};

int main(int count, char **arguments) {
  constexpr int n = 100000, block = 1024, warps = 4;
  std::ifstream file(count > 1 ? arguments[1] : "add.twa", std::ios::binary);
  std::vector<char> artifact{std::istreambuf_iterator<char>(file), {}};
  tw_bytes code = tw_hip_code_object(artifact.data(), artifact.size());
  if (!code.data) {
    std::fprintf(stderr, "expected an artifact, compiled for amd\n");
    return 1;
  }
  hipModule_t module;
  hipFunction_t kernel;
  check(hipInit(0));
  check(hipModuleLoadData(&module, code.data));
  check(hipModuleGetFunction(&kernel, module, "add"));

  std::vector<float> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i), y[i] = 2 * float(i);
  Arguments given = {};
  const size_t bytes = n * sizeof(float);
  for (float **pointer : {&given.x, &given.y, &given.out})
    check(hipMalloc(reinterpret_cast<void **>(pointer), bytes));
  check(hipMemcpyHtoD(given.x, x.data(), bytes));
  check(hipMemcpyHtoD(given.y, y.data(), bytes));
  given.n = n;
  const int programs = (n + block - 1) / block;
  given.grid = {{programs, 1, 1}, {0, 0, 0}};

  // A warp has 64 threads on gfx9, 32 on later ones.
  int lanes = 0;
  check(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  size_t size = sizeof given;
  void *packed[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &given,
                    HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  check(hipModuleLaunchKernel(kernel, programs, 1, 1, warps * lanes, 1, 1, 0,
                              nullptr, nullptr, packed));
  check(hipStreamSynchronize(nullptr));
  check(hipMemcpyDtoH(out.data(), given.out, bytes));
  std::printf("%d + %d = %g\n", 7, 14, out[7]);
  return 0;
}
