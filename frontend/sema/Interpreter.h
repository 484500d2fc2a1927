//===- Interpreter.h - Evaluates kernels into tile IR -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: executes what is known at compile time and emits
// tile IR for the rest. Its members are spread over files by concern, named in
// the sections below.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_INTERPRETER_H
#define TILEWRIGHT_FRONTEND_SEMA_INTERPRETER_H

#include "frontend/sema/Builtins.h"
#include "frontend/sema/ModuleEnv.h"
#include "frontend/sema/Scope.h"
#include "frontend/sema/Sema.h"
#include "frontend/sema/emit/Emitter.h"
#include "frontend/syntax/ASTContext.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::sema {

/// How a list of statements ends.
struct Completion {
  enum class Kind : uint8_t {
    Falls,
    Returns,
    /// Returns where `flag` (an i1) is true at run time.
    Maybe
  };
  Kind kind = Kind::Falls;
  Value value = Value::none();
  mlir::Value flag;

  bool falls() const { return kind == Kind::Falls; }
  bool returns() const { return kind == Kind::Returns; }
};

/// One side of a run-time branch.
struct Branch {
  mlir::Block *block = nullptr;
  Scope scope;
  Completion completion;
};

/// A positional or keyword argument of a call.
struct Argument {
  llvm::StringRef name;
  Value value;
  syntax::SourceRange range;
};

/// State of one function being interpreted.
struct Activation {
  CallFrame frame;
  Scope scope;
  std::shared_ptr<const Scope> closure;
  /// Location of the call, to nest locations; null in the kernel itself.
  mlir::LocationAttr callerLocation;
  /// Run-time loops around the current statement.
  unsigned loopDepth = 0;
  /// A function of the host, which Python would run at compile time: its
  /// assignments keep constants.
  bool isHostFunction = false;
  /// In a constructor: the name of the record that is being made.
  llvm::StringRef constructed;
};

/// Whether a function is decorated with a name: `@triton.jit`, `@jit(...)`.
bool isDecoratedWith(const ast::FunctionDef &def, llvm::StringRef name);

class Interpreter {
public:
  Interpreter(mlir::MLIRContext &context, const KernelRequest &request,
              syntax::DiagnosticSink &sink);
  ~Interpreter();

  mlir::OwningOpRef<mlir::ModuleOp> run();

  Emitter emitter;
  const KernelRequest &request;

  //===--- Services for built-in functions --------------------------------===//

  Reporter &reporter() { return theReporter; }
  mlir::ImplicitLocOpBuilder &builder() { return emitter.b; }
  Value error(unsigned code, const llvm::Twine &message,
              llvm::StringRef hint = "") {
    return theReporter.error(code, message, hint);
  }
  /// Reports at an argument of a built-in call.
  Value argumentError(const CallArgs &args, llvm::StringRef name, unsigned code,
                      const llvm::Twine &message, llvm::StringRef hint = "");
  /// How messages name a built-in: as the user calls it, also from inside
  /// the library.
  std::string nameOf(const Builtin &builtin) const;
  /// Calls a function value with positional arguments.
  Value callValue(const Value &callee, llvm::ArrayRef<Value> arguments);
  /// The option's text, or the fallback.
  llvm::StringRef option(llvm::StringRef name, llvm::StringRef fallback) const;
  bool isDebug() const { return option("debug", "0") == "1"; }

  /// Compile-time integer argument; nullopt after an error.
  std::optional<int64_t> constantInt(const CallArgs &args,
                                     llvm::StringRef name);
  std::optional<bool> constantBool(const CallArgs &args, llvm::StringRef name);
  /// Compile-time text; None gives "".
  std::optional<std::string> constantStr(const CallArgs &args,
                                         llvm::StringRef name);
  std::optional<DType> constantType(const CallArgs &args, llvm::StringRef name);
  /// A tuple or list of compile-time integers, or a single one.
  std::optional<std::vector<int64_t>> constantShape(const CallArgs &args,
                                                    llvm::StringRef name);
  /// An axis in [-rank, rank), made nonnegative.
  std::optional<int64_t> axis(const CallArgs &args, llvm::StringRef name,
                              int64_t rank);
  /// A run-time tensor argument of rank 1 or more.
  bool expectTile(const CallArgs &args, llvm::StringRef name);

  //===--- Hints (Hints.cpp) ----------------------------------------------===//

  /// `tw.opt.<backend>.<name>`; nullopt after an error. A name without a
  /// backend is for the target compiled for.
  std::optional<mlir::NamedAttribute> hintAttribute(llvm::StringRef name,
                                                    const Value &setting);

  //===--- Operators (Operators.cpp) --------------------------------------===//

  Value binary(ast::BinaryOperator op, const Value &left, const Value &right);
  Value compare(ast::CompareOperator op, const Value &left, const Value &right);
  Value unary(ast::UnaryOperator op, const Value &operand);
  /// Truth of a compile-time value; nullopt when it is run-time or has none.
  std::optional<bool> truth(const Value &value);
  /// A1: what a plain assignment stores.
  Value decay(const Value &value);
  /// The same where the function is one of the host.
  Value assigned(const Value &value) {
    return active && active->isHostFunction ? value : decay(value);
  }

  //===--- Attributes and subscripts (Attributes.cpp) ---------------------===//

  Value attribute(const Value &base, llvm::StringRef name);
  Value subscript(const Value &base, const Value &index);

  //===--- Names and modules (Globals.cpp) --------------------------------===//

  Value lookup(llvm::StringRef name);
  std::string undefinedHint(llvm::StringRef name);
  Value lookupGlobal(ModuleEnv &env, llvm::StringRef name, bool &found);
  Value moduleAttribute(const ModulePayload &module, llvm::StringRef name);
  Value classAttribute(const ClassPayload &classValue, llvm::StringRef name);
  Value importModule(llvm::StringRef name, unsigned level, ModuleEnv &from);
  Value functionValue(const ast::FunctionDef *def, ModuleEnv *module,
                      std::shared_ptr<const Scope> closure = nullptr);
  Value fromConstant(const Constant &constant);
  /// Evaluates an expression with the names of a module.
  Value evaluateIn(ModuleEnv &env, const ast::Expr *expr);
  /// `tl.constexpr` in any spelling; false for nullptr.
  static bool isConstexprAnnotation(const ast::Expr *annotation);

private:
  friend struct RangeScope;

  //===--- Kernel entry (Kernel.cpp, KernelList.cpp, Parameters.cpp)
  //-------===//

  const ast::FunctionDef *findKernel();
  bool bindParameters(const ast::FunctionDef &kernel);
  Value constantParameter(const struct SignatureArg &arg,
                          syntax::SourceRange range);
  void setModuleAttributes(mlir::ModuleOp module);

  //===--- Statements (Statements.cpp) ------------------------------------===//

  /// `isTail` says that nothing after the list reads the function's names.
  Completion execList(ast::StmtList list, size_t from = 0, bool isTail = false);
  Completion execHinted(const ast::Stmt *stmt);
  Completion execStatement(const ast::Stmt *stmt);
  Completion execReturn(const ast::Return &stmt);
  /// After an error: names that skipped statements would have bound are
  /// erroneous rather than undefined.
  void poisonNames(ast::StmtList skipped);
  /// Puts the hints of a statement on the operations that it made: those of
  /// `block` after `last` (all when null).
  void attachHints(const ast::Stmt *stmt, mlir::Block *block,
                   mlir::Operation *last);
  void execAssert(const ast::Assert &stmt);
  void execRaise(const ast::Raise &stmt);
  void execImport(const ast::Stmt &stmt);
  void annotatedAssign(const ast::AnnAssign &stmt);
  void assign(const ast::Expr *target, const Value &value,
              const ast::Stmt *site);
  void bindName(const ast::Expr *target, llvm::StringRef name,
                const Value &value, bool isConstexpr, const ast::Node *site);

  //===--- Steps for a debugger, with option `trace` (Steps.cpp) ----------===//

  /// Whether what is evaluated now reports its steps.
  bool isTraced() const;
  /// Reports a step and what names are bound to.
  void traceStep(llvm::StringRef kind, llvm::ArrayRef<llvm::StringRef> names);
  /// A statement is reached; it has bound its names; a function is entered with
  /// its parameters bound; it is left.
  void traceLine(const ast::Stmt *stmt);
  void traceAssigned(const ast::Stmt *stmt);
  void traceCall(const ast::Node *function);
  void traceReturn(const Value &result);

  //===--- Branches (Branches.cpp) ----------------------------------------===//

  Completion execIf(const ast::If &stmt, ast::StmtList list, size_t next,
                    bool &consumedRest, bool isTail);
  Completion guardRest(const Completion &before,
                       llvm::function_ref<Completion()> rest,
                       bool isTail = false);
  /// Runs `body` in a block with a copy of the current scope.
  Branch runBranch(mlir::Block *block, llvm::function_ref<Completion()> body);
  Completion mergeBranches(mlir::scf::IfOp op, Branch &taken, Branch &other,
                           bool dropsNames = false);
  Value evaluateTernary(const ast::IfExp &expr);

  //===--- Loops (Loops.cpp) ----------------------------------------------===//

  Completion execFor(const ast::For &stmt);
  Completion execWhile(const ast::While &stmt);
  Completion execUnrolled(const ast::For &stmt, llvm::ArrayRef<Value> items,
                          size_t from);
  void execRuntimeFor(const ast::For &stmt, const RangePayload &range);
  struct Carried {
    llvm::StringRef name;
    Value value;
    bool isConstexpr;
    /// A number kept at compile time on the guess that the body does not
    /// really change it; a wrong guess evaluates the loop again.
    bool isGuess = false;
  };
  using NameSet = llvm::StringSet<>;
  std::vector<Carried> carriedNames(ast::StmtList body, const ast::Expr *target,
                                    const NameSet &changing);
  bool attemptFor(const ast::For &stmt, const RangePayload &range,
                  const struct LoopBounds &bounds, NameSet &changing);
  bool attemptWhile(const ast::While &stmt, NameSet &changing);
  bool noteChanged(llvm::ArrayRef<Carried> carried, NameSet &changing);
  void bindCarried(llvm::ArrayRef<Carried> carried,
                   llvm::ArrayRef<mlir::Value> values, const ast::Node *site);
  bool collectCarried(llvm::ArrayRef<Carried> carried,
                      llvm::SmallVectorImpl<mlir::Value> &values,
                      const ast::Stmt &loop);
  void leaveLoop(const Scope &before, llvm::ArrayRef<Carried> carried,
                 llvm::ArrayRef<mlir::Value> results, const ast::Stmt &loop,
                 bool failed);

  //===--- Expressions (Expressions.cpp) ----------------------------------===//

  Value evaluate(const ast::Expr *expr);
  Value evaluateKind(const ast::Expr *expr);
  Value evaluateConstant(const ast::Constant &expr);
  Value evaluateBoolOp(const ast::BoolOp &expr);
  Value evaluateCompare(const ast::Compare &expr);
  Value evaluateDict(const ast::Dict &expr);
  Value evaluateSlice(const ast::Slice &expr);
  Value evaluateLambda(const ast::Lambda &expr);
  Value evaluateWalrus(const ast::NamedExpr &expr);
  Value evaluateJoinedStr(const ast::JoinedStr &expr);
  Value evaluateComprehension(const ast::ListComp &expr);
  std::vector<Value> evaluateAll(ast::ExprList list, bool &failed);
  /// Items of a compile-time iterable; nullopt after an error.
  std::optional<std::vector<Value>> items(const Value &iterable);

  //===--- Calls (Calls.cpp, ArgumentBinding.cpp) -------------------------===//

  Value evaluateCall(const ast::Call &expr);
  Value call(const Value &callee, llvm::ArrayRef<Argument> arguments);
  Value callWithMathMode(const Value &callee,
                         llvm::ArrayRef<Argument> arguments);
  Value callBuiltin(const Builtin &builtin, llvm::ArrayRef<Argument> arguments);
  /// `constructed` is the parameter that a constructor fills; the call's value.
  /// Whether Python itself would run a function at compile time.
  bool isHostFunction(const ast::Node *function) const;
  Value callFunction(const Value &callee, llvm::ArrayRef<Argument> arguments,
                     llvm::StringRef constructed = "");
  bool bindArguments(const FunctionPayload &function,
                     llvm::ArrayRef<Argument> arguments, Scope &scope);
  Value callDType(const Value &type, llvm::ArrayRef<Argument> arguments);

  //===--- High-level ops, maths modes (HighLevelOps.cpp) -----------------===//

  /// "softmax@1" of a function with the decorator `op`, or "", after an error
  /// if it names what it may not.
  std::string opName(const FunctionPayload &function);
  /// Runs the body of a function; that of one marked as an op becomes a
  /// tile.call_op of the values in `scope`.
  Value wrapHighLevelOp(const FunctionPayload &function, Scope &scope,
                        llvm::function_ref<Value()> body);
  /// Removes `math=` from arguments; false after an error.
  bool takeMathMode(llvm::SmallVectorImpl<Argument> &arguments,
                    std::string &mode);
  /// Marks the functions that `body` emits with the mode (none when empty).
  Value withMathMode(llvm::StringRef mode, llvm::function_ref<Value()> body);

  //===--- Named tuples and aggregates (Records.cpp) ----------------------===//

  Value classValue(const ast::ClassDef &def, ModuleEnv &env);
  Value construct(const Value &classValue, llvm::ArrayRef<Argument> arguments);
  Value recordAttribute(const Value &record, llvm::StringRef name);
  /// `self.name = value` inside of a constructor; false when it is none.
  bool assignField(const ast::Attribute &target, const Value &value,
                   const ast::Stmt *site);

  /// The definition that holds at the end of the module's import.
  std::optional<Value> resolveDefinition(ModuleEnv &env, llvm::StringRef name);
  std::optional<Value> agreedDefinition(ModuleEnv &env, llvm::StringRef name);
  std::optional<Value> resolveStarImport(ModuleEnv &env, llvm::StringRef name);
  std::optional<Value> knownModuleAttribute(llvm::StringRef path,
                                            llvm::StringRef name);
  Value unknownModuleAttribute(llvm::StringRef path, llvm::StringRef name);
  ModuleEnv &environmentOf(const ResolvedModule &found);
  /// The module of a vendor's ops behind `tl.extra.<vendor>`, or null.
  ModuleEnv *vendorModule(llvm::StringRef path);
  ModuleEnv *libraryModuleFor(llvm::StringRef path, llvm::StringRef name);
  bool guardsHold(const Definition &definition, ModuleEnv &env, bool &known);
  Value evaluateDefinition(const Definition &definition, ModuleEnv &env,
                           bool &failed);
  Value inModule(ModuleEnv &env, llvm::function_ref<Value()> body);
  mlir::Location locationFor(syntax::SourceRange range);
  void enter(syntax::SourceRange range);

  syntax::DiagnosticSink &sink;
  Reporter theReporter;
  Activation *active = nullptr;
  std::unique_ptr<ModuleEnv> mainModule;
  std::map<const ast::Module *, std::unique_ptr<ModuleEnv>> modules;
  std::vector<std::unique_ptr<ast::ASTContext>> libraryTrees;
  std::map<std::string, ModuleEnv *> libraryModules;
  mlir::func::FuncOp function;
  /// What is done with the name being looked up, for hints: called, or asked
  /// for an attribute.
  const ast::Expr *calledExpr = nullptr;
  const ast::Attribute *attributeExpr = nullptr;
  unsigned callDepth = 0;
  /// Statements executed, to stop endless unrolling.
  uint64_t steps = 0;
};

/// Makes a range current for errors and locations while alive.
struct RangeScope {
  RangeScope(Interpreter &interpreter, syntax::SourceRange range);
  ~RangeScope();

private:
  Interpreter &interpreter;
  syntax::SourceRange previous;
  mlir::Location previousLocation;
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_INTERPRETER_H
