//===- Polynomial.h - Exact integer polynomials over SSA values -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar part of index arithmetic in one canonical form, so that equal
// expressions compare equal and differences cancel.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_POLYNOMIAL_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_POLYNOMIAL_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>

namespace tilewright::lowering {

/// A product of atoms, by number, sorted; empty for the constant term.
using Monomial = llvm::SmallVector<unsigned, 2>;

/// A sum of products with 64-bit coefficients. Operations that would overflow
/// a coefficient or grow beyond bounds give nothing.
class Polynomial {
public:
  Polynomial() = default;
  /*implicit*/ Polynomial(int64_t constant);

  static Polynomial atom(unsigned number);
  static Polynomial term(Monomial monomial, int64_t coefficient);

  const std::map<Monomial, int64_t> &getTerms() const { return terms; }
  bool isZero() const { return terms.empty(); }
  /// The value if there is no other term than the constant one.
  std::optional<int64_t> getConstant() const;
  int64_t getCoefficient(const Monomial &monomial) const;

  bool operator==(const Polynomial &other) const {
    return terms == other.terms;
  }
  bool operator!=(const Polynomial &other) const { return !(*this == other); }

private:
  friend std::optional<Polynomial> add(const Polynomial &, const Polynomial &);
  friend std::optional<Polynomial> multiply(const Polynomial &,
                                            const Polynomial &);
  std::map<Monomial, int64_t> terms;
};

std::optional<Polynomial> add(const Polynomial &lhs, const Polynomial &rhs);
std::optional<Polynomial> subtract(const Polynomial &lhs,
                                   const Polynomial &rhs);
std::optional<Polynomial> multiply(const Polynomial &lhs,
                                   const Polynomial &rhs);

/// The exact quotient of one term by a polynomial of one term, if there is one.
std::optional<Polynomial> divideTerm(const Monomial &monomial,
                                     int64_t coefficient,
                                     const Polynomial &divisor);

/// The exact quotient by a nonzero constant, if there is one.
std::optional<Polynomial> divideByConstant(const Polynomial &value,
                                           int64_t divisor);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_POLYNOMIAL_H
