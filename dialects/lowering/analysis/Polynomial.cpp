//===- Polynomial.cpp - Exact polynomials of SSA values ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorted terms, checked coefficient arithmetic, bounded size.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/Polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright::lowering;

static constexpr size_t maxTerms = 24;
static constexpr size_t maxDegree = 6;

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0)
    terms[Monomial()] = constant;
}

Polynomial Polynomial::atom(unsigned number) { return term({number}, 1); }

Polynomial Polynomial::term(Monomial monomial, int64_t coefficient) {
  Polynomial result;
  if (coefficient != 0)
    result.terms[std::move(monomial)] = coefficient;
  return result;
}

std::optional<int64_t> Polynomial::getConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

int64_t Polynomial::getCoefficient(const Monomial &monomial) const {
  auto it = terms.find(monomial);
  return it == terms.end() ? 0 : it->second;
}

namespace tilewright::lowering {

std::optional<Polynomial> add(const Polynomial &lhs, const Polynomial &rhs) {
  Polynomial result = lhs;
  for (const auto &[monomial, coefficient] : rhs.terms) {
    int64_t &sum = result.terms[monomial];
    if (llvm::AddOverflow(sum, coefficient, sum))
      return std::nullopt;
    if (sum == 0)
      result.terms.erase(monomial);
  }
  if (result.terms.size() > maxTerms)
    return std::nullopt;
  return result;
}

std::optional<Polynomial> multiply(const Polynomial &lhs,
                                   const Polynomial &rhs) {
  Polynomial result;
  for (const auto &[left, leftCoefficient] : lhs.terms) {
    for (const auto &[right, rightCoefficient] : rhs.terms) {
      Monomial product(left);
      product.append(right.begin(), right.end());
      llvm::sort(product);
      int64_t coefficient;
      if (product.size() > maxDegree ||
          llvm::MulOverflow(leftCoefficient, rightCoefficient, coefficient))
        return std::nullopt;
      auto sum = add(result, Polynomial::term(product, coefficient));
      if (!sum)
        return std::nullopt;
      result = std::move(*sum);
    }
  }
  return result;
}

std::optional<Polynomial> subtract(const Polynomial &lhs,
                                   const Polynomial &rhs) {
  auto negated = multiply(rhs, Polynomial(-1));
  return negated ? add(lhs, *negated) : std::nullopt;
}

std::optional<Polynomial> divideTerm(const Monomial &monomial,
                                     int64_t coefficient,
                                     const Polynomial &divisor) {
  if (divisor.getTerms().size() != 1)
    return std::nullopt;
  const auto &[divisorMonomial, divisorCoefficient] =
      *divisor.getTerms().begin();
  if (divisorCoefficient == -1 ? coefficient == INT64_MIN
                               : coefficient % divisorCoefficient != 0)
    return std::nullopt;
  Monomial rest(monomial);
  for (unsigned atom : divisorMonomial) {
    auto *it = llvm::find(rest, atom);
    if (it == rest.end())
      return std::nullopt;
    rest.erase(it);
  }
  return Polynomial::term(rest, coefficient / divisorCoefficient);
}

std::optional<Polynomial> divideByConstant(const Polynomial &value,
                                           int64_t divisor) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    auto quotient = divideTerm(monomial, coefficient, Polynomial(divisor));
    if (!quotient)
      return std::nullopt;
    auto sum = add(result, *quotient);
    if (!sum)
      return std::nullopt;
    result = *sum;
  }
  return result;
}

} // namespace tilewright::lowering
