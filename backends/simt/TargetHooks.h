//===- TargetHooks.h - What each SIMT target emits its own way --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only door between the shared emitter and a target. Every function emits
// code for one thread at the builder's position. Integers that name threads,
// lanes and programs are i32; scalars are LLVM scalars (i1 for Booleans; i16
// and i8 hold bf16 and fp8). Defaults use LLVM's generic instructions.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_TARGETHOOKS_H
#define TILEWRIGHT_BACKENDS_SIMT_TARGETHOOKS_H

#include "backends/math/MathFunctions.h"
#include "backends/simt/SimtTarget.h"
#include "dialects/kernel/KernelDialect.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace tilewright::simt {

/// One argument of a kernel as the user wrote it, in the packed block's order.
struct KernelArgument {
  llvm::Type *type = nullptr; ///< i1 arguments have type i8
  std::string name;
  bool isReadOnly = false; ///< a pointer that nothing is written through
  bool isDisjoint = false; ///< its buffer overlaps no other disjoint one
  uint64_t alignment = 0;  ///< bytes that divide a pointer; 0: unknown
};

/// What a kernel function is made from.
struct KernelSignature {
  std::string symbol;
  llvm::SmallVector<KernelArgument> arguments;
  unsigned threads = 0; ///< of one program
  bool needsProgress = false;
};

/// A function whose entry block is ready to be filled.
struct KernelFrame {
  llvm::Function *function = nullptr;
  /// One value an argument of the signature, of its type.
  llvm::SmallVector<llvm::Value *> arguments;
};

/// Which memory a barrier or a fence orders.
enum class Spaces : uint8_t { Shared = 1, Global = 2, All = 3 };

/// Where a failing check stands in the user's source.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
};

/// Where an operation stands: of inlined code the innermost place.
SourcePlace placeOf(mlir::Location location);

/// A reciprocal as good as quotients need it.
struct Reciprocal {
  llvm::Value *value;
  llvm::Value *isExtreme; ///< i1: the reciprocal cannot be used
};

/// A function of many values, by a way that is right for the usual ones.
struct UsualValues {
  llvm::SmallVector<llvm::Value *> values;
  llvm::Value *isUnusual; ///< i1, the same for the lanes of a warp: some value
                          ///< of some lane is wrong
};

/// How a vectorised access behaves besides its address.
struct AccessFlags {
  unsigned alignment = 1; ///< bytes
  bool isVolatile = false;
  kernel::CacheHint cache = kernel::CacheHint::None;
  kernel::EvictionHint evict = kernel::EvictionHint::Normal;
};

/// An address as one that all lanes of a warp share, and how far from it this
/// lane's is: `offset` + `constant` bytes, at least 0, and no access
/// ends beyond 2^31.
struct SplitAddress {
  llvm::Value *base = nullptr;   ///< null: not known to be one
  llvm::Value *offset = nullptr; ///< i32
  uint32_t constant = 0;
};

/// LLVM's name of semantics.
llvm::AtomicOrdering orderingOf(kernel::MemorySemantics semantics);

class TargetHooks {
public:
  using Builder = llvm::IRBuilderBase;

  explicit TargetHooks(SimtTarget target) : description(std::move(target)) {}
  virtual ~TargetHooks();

  const SimtTarget &target() const { return description; }

  //===--- Kernels --------------------------------------------------------===//

  /// Declares the kernel with hidden parameters, attributes and an entry block
  /// and leaves the builder in it.
  virtual KernelFrame beginKernel(Builder &b, llvm::Module &module,
                                  const KernelSignature &signature) = 0;
  /// Called at the end of the last block, which has no terminator yet.
  virtual void endKernel(Builder &b, KernelFrame &frame);
  /// The code of an operation from this place of the source follows.
  virtual void beginOperation(Builder &b, const SourcePlace &place);

  //===--- Ids ------------------------------------------------------------===//

  /// Thread of the program, in [0, threads).
  virtual llvm::Value *threadId(Builder &b) = 0;
  /// `threadId` modulo and over `warpLanes`, unless the target knows better.
  virtual llvm::Value *laneId(Builder &b);
  virtual llvm::Value *warpId(Builder &b);
  virtual llvm::Value *programId(Builder &b, unsigned axis) = 0;
  virtual llvm::Value *numPrograms(Builder &b, unsigned axis) = 0;
  /// Blocks along the first axis: the programs, unless launches may have fewer.
  virtual llvm::Value *numBlocks(Builder &b) { return numPrograms(b, 0); }
  /// Bytes a thread may load ahead for the next program of its block; 0 where
  /// launches always have a block for each program.
  virtual uint64_t bytesAhead() const { return 0; }

  //===--- Threads together -----------------------------------------------===//

  /// All threads of the program; accesses to `spaces` before it are seen after.
  virtual void barrier(Builder &b, Spaces spaces) = 0;
  /// LLVM's name of a scope, for atomics and fences that are LLVM's own; the
  /// whole system unless the target has narrower ones.
  virtual llvm::SyncScope::ID syncScope(llvm::LLVMContext &context,
                                        kernel::MemoryScope scope) const;
  /// Orders this thread's accesses for others in `scope`.
  virtual void fence(Builder &b, kernel::MemorySemantics semantics,
                     kernel::MemoryScope scope);

  /// Whether lanes of a warp exchange values in registers. The three shuffles
  /// take scalars of any type up to 64 bits; all lanes take part.
  virtual bool hasShuffles() const { return false; }
  virtual llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                                    llvm::Value *lane);
  virtual llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                                  unsigned mask);
  /// From lane - delta; lanes below delta get their own value. By default a
  /// shuffleIndex.
  virtual llvm::Value *shuffleUp(Builder &b, llvm::Value *value,
                                 unsigned delta);
  /// Bit l says whether lane l's predicate holds: an integer of `warpLanes`
  /// bits. Null where there is none.
  virtual llvm::Value *ballot(Builder &b, llvm::Value *predicate);

  //===--- Memory ---------------------------------------------------------===//

  /// The program's shared memory, 16-byte aligned, in `sharedSpace`. Called at
  /// most once a kernel, in the entry block, with bytes > 0.
  virtual llvm::Value *sharedMemory(Builder &b, uint64_t bytes);
  /// Global memory; `type` is a scalar or a vector of at most maxVectorBytes.
  virtual llvm::Value *load(Builder &b, llvm::Type *type, llvm::Value *pointer,
                            const AccessFlags &flags);
  virtual void store(Builder &b, llvm::Value *value, llvm::Value *pointer,
                     const AccessFlags &flags);

  /// The same where `mask` holds, without a branch: `otherwise` elsewhere, of
  /// `type`. Null (false) if the target has no such access, and then a branch
  /// is emitted.
  virtual llvm::Value *loadIf(Builder &b, llvm::Value *mask, llvm::Type *type,
                              llvm::Value *pointer, llvm::Value *otherwise,
                              const AccessFlags &flags);
  virtual bool storeIf(Builder &b, llvm::Value *mask, llvm::Value *value,
                       llvm::Value *pointer, const AccessFlags &flags);

  /// The same at split addresses, for targets that say so; asked first.
  virtual bool hasSplitAccesses() const { return false; }
  virtual llvm::Value *loadSplit(Builder &b, llvm::Value *mask,
                                 llvm::Type *type, const SplitAddress &address,
                                 llvm::Value *otherwise,
                                 const AccessFlags &flags);
  virtual bool storeSplit(Builder &b, llvm::Value *mask, llvm::Value *value,
                          const SplitAddress &address,
                          const AccessFlags &flags);

  /// Read-modify-write on memory of `value`'s type, giving the old value; null
  /// if the target lacks it, and then a loop of compareAndSwap is emitted.
  virtual llvm::Value *atomicRMW(Builder &b, kernel::AtomicKind kind,
                                 kernel::MemorySemantics semantics,
                                 kernel::MemoryScope scope,
                                 llvm::Value *pointer, llvm::Value *value);
  /// Integers of 32 or 64 bits; gives the old value. Null if the target lacks
  /// that width.
  virtual llvm::Value *compareAndSwap(Builder &b,
                                      kernel::MemorySemantics semantics,
                                      kernel::MemoryScope scope,
                                      llvm::Value *pointer,
                                      llvm::Value *compare, llvm::Value *value);

  /// Whether loads may be replaced by copies that nobody waits for yet. A
  /// target without asyncCopy that says so gets plain copies in their place.
  virtual bool hasAsyncCopies() const { return false; }
  /// Whether such copies go through registers: loaded an iteration ahead, and
  /// stored once the iteration is done.
  virtual bool copiesInRegisters() const { return false; }
  /// Copies `bytes` (one of the target's sizes) from global to shared memory
  /// without waiting; false if the target has no such instruction. `predicate`
  /// may be null; where it is false zeros are written. Consecutive copies take
  /// the place of the warp's first lane in shared memory.
  virtual bool asyncCopy(Builder &b, llvm::Value *shared, llvm::Value *global,
                         unsigned bytes, llvm::Value *predicate);
  virtual void asyncCommit(Builder &b);
  /// Waits until at most `pending` groups are under way.
  virtual void asyncWait(Builder &b, unsigned pending);

  //===--- Arithmetic -----------------------------------------------------===//

  /// Whether the target computes a function on f16, f32 or f64 (`bits`) itself,
  /// to 2 ulp (`isFast`: good enough for --math=fast). Never asked in portable.
  virtual bool isNativeFunction(math::MathFunction function, unsigned bits,
                                bool isFast) const;
  /// A native function, or any on f64; null if there is none.
  virtual llvm::Value *function(Builder &b, math::MathFunction function,
                                llvm::ArrayRef<llvm::Value *> operands);
  /// The same of many values by fewer instructions; none if there is no such
  /// way. It is only asked for functions that `function` computes.
  virtual std::optional<UsualValues>
  usualValues(Builder &b, math::MathFunction function,
              llvm::ArrayRef<llvm::Value *> operands);
  /// The bits (i16) of a float as bf16, to nearest even. Only asked where the
  /// target has such casts.
  virtual llvm::Value *roundToBFloat(Builder &b, llvm::Value *value);
  /// Correctly rounded, f16, f32 or f64.
  virtual llvm::Value *squareRoot(Builder &b, llvm::Value *value);
  virtual llvm::Value *divide(Builder &b, llvm::Value *lhs, llvm::Value *rhs);
  /// The same of f32 to 2 ulp, over the full range; what they default to.
  virtual llvm::Value *approximateSquareRoot(Builder &b, llvm::Value *value);
  virtual llvm::Value *approximateQuotient(Builder &b, llvm::Value *lhs,
                                           llvm::Value *rhs);
  /// What gives the same quotients by one product each, but of extreme
  /// divisors; none where nothing is saved.
  virtual std::optional<Reciprocal> reciprocal(Builder &b, llvm::Value *value);
  virtual llvm::Value *fusedMultiplyAdd(Builder &b, llvm::Value *x,
                                        llvm::Value *y, llvm::Value *z);
  /// High half of the unsigned product.
  virtual llvm::Value *multiplyHigh(Builder &b, llvm::Value *lhs,
                                    llvm::Value *rhs);

  /// Loads 1, 2 or 4 matrices of 8 rows of 16 bytes from shared memory: lane
  /// 8 m + r points to row r of matrix m. Word m (i32) of lane 4 r + c is word
  /// c of row r; transposed, its halves are the 16-bit elements r of rows 2 c
  /// and 2 c + 1. Empty if there is no such instruction, which `hasMatrixLoads`
  /// tells.
  virtual bool hasMatrixLoads() const { return false; }
  virtual llvm::SmallVector<llvm::Value *> matrixLoad(Builder &b,
                                                      llvm::Value *row,
                                                      unsigned matrices,
                                                      bool isTransposed);

  /// Whether emitMatrixAtom exists; without it products that name an atom are
  /// summed one by one, and layouts are those of the atom all the same.
  virtual bool hasMatrixAtoms() const { return false; }
  /// One matrix instruction on the registers of the atom's layouts, in order;
  /// gives the registers of the result.
  virtual llvm::SmallVector<llvm::Value *>
  emitMatrixAtom(Builder &b, const MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator);
  /// The same of an atom with factors, of whose fragments the one register
  /// (i8) is given. What a factor of 255 makes is put right afterwards.
  virtual llvm::SmallVector<llvm::Value *>
  emitScaledAtom(Builder &b, const MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator,
                 llvm::Value *lhsScale, llvm::Value *rhsScale);

  //===--- Services -------------------------------------------------------===//

  /// C's printf with constant text; integers are i32 or i64, floats are f64.
  /// Called under a branch, by one thread a line.
  virtual void print(Builder &b, llvm::StringRef format,
                     llvm::ArrayRef<llvm::Value *> values) = 0;
  /// Makes the launch fail with code TW<code>; the thread goes on. Called under
  /// a branch, by one or more threads.
  virtual void fail(Builder &b, unsigned code, llvm::StringRef message,
                    const SourcePlace &place) = 0;
  /// i64: cycles, or nanoseconds if `isGlobalTimer`. Null if there is no clock.
  virtual llvm::Value *clock(Builder &b, bool isGlobalTimer);
  /// Assembly text for this vendor, and functions of a device library. Null
  /// where it is not supported.
  virtual llvm::Value *inlineAssembly(Builder &b, llvm::StringRef text,
                                      llvm::StringRef constraints,
                                      llvm::Type *result,
                                      llvm::ArrayRef<llvm::Value *> operands,
                                      bool isPure);
  virtual llvm::Value *externCall(Builder &b, llvm::StringRef library,
                                  llvm::StringRef symbol, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> operands);

protected:
  /// Applies an operation on i32 to a scalar of up to 64 bits, word by word.
  static llvm::Value *
  byWords(Builder &b, llvm::Value *value,
          llvm::function_ref<llvm::Value *(llvm::Value *)> operation);

private:
  SimtTarget description;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_TARGETHOOKS_H
