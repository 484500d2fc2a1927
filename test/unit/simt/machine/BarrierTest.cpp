//===- BarrierTest.cpp - Barriers that are missing are reported -----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twenty-odd kernels: as generated none has a race, and without any one of its
// barriers or waits each has one.
//===----------------------------------------------------------------------===//
#include "BarrierProbe.h"

#include "gtest/gtest.h"

using namespace tilewright::simt::test;

namespace {

const char *const header = R"(
#a = #simt.layout<warp=[[64], [128]], lane=[[1], [2], [4], [8], [16]], register=[[32]] -> dim0=256>
#b = #simt.layout<warp=[[1], [2]], lane=[[8], [16], [32], [64], [128]], register=[[4]] -> dim0=256>
#s = #simt.layout<offset=[[1], [2], [4], [8], [16], [32], [64], [128]] -> dim0=256>
!a = tensor<256xi32, #a>
!b = tensor<256xi32, #b>
!m = !simt.memdesc<1 x [256], i32, #s>
!m2 = !simt.memdesc<2 x [256], i32, #s>
!m3 = !simt.memdesc<3 x [256], i32, #s>
!p = !kernel.ptr<i32>
!v = !kernel.view<1, i32>
func.func @k(%p: !p {tw.dtype = "*i32"}, %q: !p {tw.dtype = "*i32"},
             %x: !p {tw.dtype = "*i32", tw.disjoint}, %y: !p {tw.dtype = "*i32", tw.disjoint},
             %n: i32 {tw.dtype = "i32"}, %c: i1 {tw.dtype = "i1"}) attributes {tw.kernel} {
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %e = arith.constant 256 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %vp = kernel.view %p sizes [%e] strides [%o] : !p -> !v
  %vq = kernel.view %q sizes [%e] strides [%o] : !p -> !v
  %vx = kernel.view %x sizes [%e] strides [%o] : !p -> !v
  %vy = kernel.view %y sizes [%e] strides [%o] : !p -> !v
  %t = arith.constant dense<1> : !a
)";

std::string load(const std::string &name, const std::string &view,
                 const std::string &type, const std::string &at = "%z") {
  return "  " + name + " = kernel.load " + view + "[" + at +
         "] lo [%z] hi [%e] boundary [1] : !v -> " + type + "\n";
}

std::string store(const std::string &value, const std::string &view,
                  const std::string &type, const std::string &at = "%z") {
  return "  kernel.store " + value + ", " + view + "[" + at +
         "] lo [%z] hi [%e] boundary [1] : " + type + ", !v\n";
}

std::string convert(const std::string &name, const std::string &value,
                    const std::string &from, const std::string &to) {
  return "  " + name + " = simt.convert_layout " + value + " : " + from +
         " -> " + to + "\n";
}

std::string loop(const std::string &body) {
  return "  scf.for %i = %z to %e step %o : i64 {\n" + body + "  }\n";
}

std::string reduce(const std::string &name, const std::string &value) {
  return "  " + name + " = \"kernel.reduce\"(" + value +
         ") <{axis = 0 : i32}> ({\n  ^bb0(%l: i32, %r: i32):\n"
         "    %w = arith.addi %l, %r : i32\n    kernel.yield %w : i32\n"
         "  }) : (!a) -> i32\n";
}

struct Kernel {
  const char *name;
  std::string body;
  unsigned fences; ///< barriers and waits that it needs
  uint64_t sharedBytes = 48 << 10;
};

std::string localStore(const std::string &value, const std::string &memory) {
  return "  simt.local_store " + value + ", " + memory + " : !a, !m\n";
}

std::string localLoad(const std::string &name, const std::string &memory) {
  return "  " + name + " = simt.local_load " + memory + " : !m -> !b\n";
}

std::string copy(const std::string &number, const std::string &slot,
                 const std::string &at) {
  return "  %t" + number + " = simt.async_copy %vx[" + at +
         "] lo [%z] hi [%e] boundary [0] to %m[" + slot + "] : !v, !m2\n  %g" +
         number + " = simt.async_commit %t" + number + "\n";
}

std::string copyTo3(const std::string &number, const std::string &slot,
                    const std::string &at) {
  return "  %t" + number + " = simt.async_copy %vx[" + at +
         "] lo [%z] hi [%e] boundary [0] to %m[" + slot + "] : !v, !m3\n  %g" +
         number + " = simt.async_commit %t" + number + "\n";
}

/// Three buffers in turn: copies run two turns ahead of reads.
std::string pipeline(const std::string &pending, const std::string &firstRead,
                     const std::string &firstWrite) {
  return "  %m = simt.alloc : !m3\n" + copyTo3("0", "%i0", "%z") +
         copyTo3("1", "%i1", "%o") +
         "  %s:2 = scf.for %i = %z to %e step %o iter_args(%r = " + firstRead +
         ", %w = " + firstWrite +
         ") -> (i32, i32) : i64 {\n  simt.async_wait " + pending + "\n" +
         copyTo3("2", "%w", "%i") +
         "  %u = simt.local_load %m[%r] : !m3 -> !b\n"
         "  %rn = simt.rotate %r of 3\n  %wn = simt.rotate %w of 3\n"
         "  scf.yield %rn, %wn : i32, i32\n  }\n";
}

const std::string alloc = "  %m = simt.alloc : !m\n";
const std::string alloc2 = "  %m = simt.alloc : !m2\n";

std::vector<Kernel> kernels() {
  std::string ab = convert("%u", "%t", "!a", "!b");
  return {
      {"store then load", store("%t", "%vp", "!a") + load("%u", "%vp", "!b"),
       1},
      {"load then store elsewhere",
       load("%u", "%vp", "!b") + store("%t", "%vp", "!a"), 1},
      {"two stores", store("%t", "%vp", "!a") + store("%t", "%vq", "!a"), 1},
      {"may alias", store("%t", "%vp", "!a") + load("%u", "%vq", "!a"), 1},
      {"one of two is disjoint",
       store("%t", "%vx", "!a") + load("%u", "%vq", "!a"), 1},
      {"load and store in a loop",
       loop(load("%u", "%vp", "!a", "%i") + store("%u", "%vp", "!a", "%i")), 1},
      {"store moves on in a loop", loop(store("%t", "%vp", "!a", "%i")), 1},
      {"store before a loop",
       store("%t", "%vp", "!a") + loop(load("%u", "%vp", "!b")), 1},
      {"store in a branch",
       "  scf.if %c {\n" + store("%t", "%vp", "!a") + "  }\n" +
           load("%u", "%vp", "!b"),
       1},
      {"load in both branches",
       store("%t", "%vp", "!a") + "  scf.if %c {\n" + load("%u", "%vp", "!b") +
           "  } else {\n" + load("%u", "%vq", "!b") + "  }\n",
       2},
      {"scatter then gather",
       "  kernel.scatter %t, %p [%t : !a] : !a, !p\n"
       "  %u = kernel.gather %q [%t : !a] : !p -> !a\n",
       1},
      {"release after store",
       store("%t", "%vx", "!a") + "  %u = kernel.atomic_rmw add release gpu "
                                  "%i1, %y : i32, !p -> i32\n",
       0},
      {"load after acquire",
       "  %u = kernel.atomic_rmw add acquire gpu %i1, %y : i32, !p -> i32\n" +
           load("%w", "%vx", "!a"),
       0},
      {"two atomics on one buffer",
       "  %u = kernel.atomic_rmw add relaxed gpu %t, %p [%t : !a] : !a, !p -> "
       "!a\n"
       "  %w = kernel.atomic_rmw xchg relaxed gpu %t, %p [%t : !a] : !a, !p -> "
       "!a\n",
       1},
      {"conversion in a loop", loop(ab), 1},
      {"two conversions apart", ab + convert("%w", "%u", "!b", "!a"), 0},
      {"two reductions apart in a loop",
       loop(reduce("%u", "%t") + reduce("%w2", "%t")), 0},
      {"buffer written and read",
       alloc + localStore("%t", "%m") + localLoad("%u", "%m"), 1},
      {"buffer written and read in a loop",
       alloc + loop(localStore("%t", "%m") + localLoad("%u", "%m")), 2},
      {"buffers share bytes",
       alloc + localStore("%t", "%m") + localLoad("%u", "%m") +
           "  %m1 = simt.alloc : !m\n" + localStore("%t", "%m1") +
           localLoad("%w", "%m1"),
       3, 1024},
      {"buffer in a while loop",
       alloc + "  scf.while : () -> () {\n" + localStore("%t", "%m") +
           "    scf.condition(%c)\n  } do {\n" + localLoad("%u", "%m") +
           "    scf.yield\n  }\n",
       2},
      {"copy and wait",
       alloc2 + copy("0", "%i0", "%z") + "  simt.async_wait 0 for %g0\n" +
           "  %u = simt.local_load %m[%i0] : !m2 -> !b\n",
       2},
      {"two copies in flight",
       alloc2 + copy("0", "%i0", "%z") + copy("1", "%i1", "%e") +
           "  simt.async_wait 1 for %g0\n"
           "  %u = simt.local_load %m[%i0] : !m2 -> !b\n"
           "  simt.async_wait 0 for %g1\n"
           "  %w = simt.local_load %m[%i1] : !m2 -> !b\n",
       4},
      {"copies in a loop",
       alloc2 + loop(copy("0", "%i0", "%i") + "  simt.async_wait 0 for %g0\n" +
                     "  %u = simt.local_load %m[%i0] : !m2 -> !b\n"),
       3},
      {"three buffers in turn", pipeline("1", "%i0", "%i2"), 2},
      {"bytes of three buffers are used again",
       pipeline("1", "%i0", "%i2") + "  simt.async_wait 0\n" +
           "  %m1 = simt.alloc : !m\n" + localStore("%t", "%m1"),
       4, 3072}};
}

} // namespace

TEST(Barriers, EachOneIsNeeded) {
  unsigned total = 0;
  for (const Kernel &kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    MachineOptions options;
    options.sharedBytes = kernel.sharedBytes;
    ProbeResult result =
        probeBarriers(header + kernel.body + "  return\n}\n", options);
    EXPECT_TRUE(result.isClean) << result.text;
    EXPECT_EQ(result.missed, 0u) << result.text;
    EXPECT_EQ(result.barriers + result.waits, kernel.fences) << result.text;
    total += result.barriers + result.waits;
  }
  EXPECT_GE(kernels().size(), 20u);
  EXPECT_GE(total, 30u);
}

TEST(Barriers, NoneWhereThreadsKeepToThemselves) {
  const std::string bodies[] = {
      load("%u", "%vp", "!a") + store("%u", "%vp", "!a"),
      load("%u", "%vx", "!a") + store("%t", "%vy", "!a"),
      load("%u", "%vx", "!b") + load("%w", "%vp", "!a"),
      convert("%u", "%t", "!a", "!b") + convert("%w", "%u", "!b", "!a")};
  for (const std::string &body : bodies) {
    ProbeResult result = probeBarriers(header + body + "  return\n}\n", {});
    EXPECT_TRUE(result.isClean) << result.text;
    EXPECT_EQ(result.barriers, 0u) << result.text;
  }
}

TEST(Barriers, ReportsAMissingWait) {
  std::string body = alloc2 + copy("0", "%i0", "%z") +
                     "  simt.barrier\n"
                     "  %u = simt.local_load %m[%i0] : !m2 -> !b\n";
  EXPECT_FALSE(probeBarriers(header + body + "  return\n}\n", {}).isClean);
}

TEST(Barriers, ReportsAPipelineThatIsTooFast) {
  const std::string bodies[] = {
      pipeline("2", "%i0", "%i2"),  // reads what may be under way
      pipeline("1", "%i0", "%i0"),  // writes what is being read
      pipeline("1", "%i1", "%i2")}; // reads a turn too early
  for (const std::string &body : bodies)
    EXPECT_FALSE(probeBarriers(header + body + "  return\n}\n", {}).isClean)
        << body;
}
