# Everything that includes MLIR links `tilewright_mlir` and reuses the precompiled header of `tilewright_pch`.
add_library(tilewright_mlir INTERFACE)
target_include_directories(tilewright_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_definitions(tilewright_mlir INTERFACE ${LLVM_DEFINITIONS_LIST})
if(TARGET TilewrightLLVM)
  target_link_libraries(tilewright_mlir INTERFACE TilewrightLLVM)
else() # a vendor's project
  target_link_libraries(tilewright_mlir INTERFACE MLIR LLVM)
endif()

file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp CONTENT "")
add_library(tilewright_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp)
target_link_libraries(tilewright_pch PUBLIC tilewright_mlir)
target_precompile_headers(tilewright_pch PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/Matchers.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>
  <llvm/ADT/TypeSwitch.h>)
