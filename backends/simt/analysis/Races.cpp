//===- Races.cpp - Unordered conflicting accesses -------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel becomes a graph of steps. From each access the graph is searched
// forward; a path ends at a barrier that orders the access.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Races.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

namespace {

/// An edge; `loop` is set where it leads back to a loop's beginning.
struct Edge {
  unsigned to;
  Operation *loop = nullptr;
};

/// The steps of a kernel and what may follow each.
class StepGraph {
public:
  explicit StepGraph(func::FuncOp kernel);
  std::optional<Race> search() const;

private:
  /// Where code that was built last ends, waiting for what follows.
  using Ends = SmallVector<unsigned>;

  unsigned addNode(Step step, const Ends &before);
  unsigned addPoint(const Ends &before);
  Ends build(Block &block, Ends before);
  Ends build(Operation *op, Ends before);
  Ends buildFor(scf::ForOp op, const Ends &before);
  Ends buildIf(scf::IfOp op, const Ends &before);
  Ends buildWhile(scf::WhileOp op, const Ends &before);

  std::optional<Race> searchFrom(unsigned start) const;

  AccessModel model;
  SmallVector<std::optional<Step>> nodes; ///< none: a point without a step
  SmallVector<SmallVector<Edge, 2>> edges;
};

/// How far an access has come on a path.
struct Progress {
  unsigned node = 0;
  Passage passage;          ///< since the access
  bool isLanded = true;     ///< not under way any more
  bool isCommitted = false; ///< its group is closed
  unsigned laterGroups = 0; ///< closed after its own, counted up to a limit

  auto key() const {
    return std::make_tuple(node, passage.key(), isLanded, isCommitted,
                           laterGroups);
  }
};

constexpr unsigned kMostGroups = 16;

} // namespace

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

unsigned StepGraph::addPoint(const Ends &before) {
  unsigned node = nodes.size();
  nodes.emplace_back();
  edges.emplace_back();
  for (unsigned end : before)
    edges[end].push_back({node});
  return node;
}

unsigned StepGraph::addNode(Step step, const Ends &before) {
  unsigned node = addPoint(before);
  nodes[node] = std::move(step);
  return node;
}

StepGraph::Ends StepGraph::build(Block &block, Ends before) {
  for (Operation &op : block)
    before = build(&op, std::move(before));
  return before;
}

StepGraph::Ends StepGraph::build(Operation *op, Ends before) {
  return llvm::TypeSwitch<Operation *, Ends>(op)
      .Case([&](scf::ForOp o) { return buildFor(o, before); })
      .Case([&](scf::IfOp o) { return buildIf(o, before); })
      .Case([&](scf::WhileOp o) { return buildWhile(o, before); })
      .Default([&](Operation *) {
        for (Step &step : model.steps(op))
          before = {addNode(std::move(step), before)};
        return before;
      });
}

StepGraph::Ends StepGraph::buildFor(scf::ForOp op, const Ends &before) {
  unsigned head = addPoint(before);
  for (unsigned end : build(*op.getBody(), {head}))
    edges[end].push_back({head, op});
  return {head};
}

StepGraph::Ends StepGraph::buildIf(scf::IfOp op, const Ends &before) {
  unsigned head = addPoint(before);
  Ends ends = build(*op.thenBlock(), {head});
  if (Block *elseBlock = op.elseBlock())
    ends.append(build(*elseBlock, {head}));
  else
    ends.push_back(head);
  return {addPoint(ends)};
}

StepGraph::Ends StepGraph::buildWhile(scf::WhileOp op, const Ends &before) {
  unsigned head = addPoint(before);
  Ends condition = build(*op.getBeforeBody(), {head});
  for (unsigned end : build(*op.getAfterBody(), condition))
    edges[end].push_back({head, op});
  return condition;
}

StepGraph::StepGraph(func::FuncOp kernel) : model(kernel) {
  build(kernel.getBody().front(), {addPoint({})});
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Whether the path ends at a barrier; notes commits and waits on the way.
static bool pass(const Step &step, const Access &access, Progress &progress) {
  switch (step.kind) {
  case Step::Barrier:
    return progress.isLanded &&
           (step.isGlobal || access.space == MemorySpace::Shared);
  case Step::Commit:
    if (progress.isCommitted && progress.laterGroups < kMostGroups)
      ++progress.laterGroups;
    progress.isCommitted = true;
    return false;
  case Step::Wait:
    if (progress.isCommitted && progress.laterGroups >= step.pendingGroups)
      progress.isLanded = true;
    return false;
  case Step::Touch:
    return false;
  }
  llvm_unreachable("all kinds are listed");
}

std::optional<Race> StepGraph::searchFrom(unsigned start) const {
  const Access &access = nodes[start]->access;
  Progress first;
  first.node = start;
  first.isLanded = !access.isAsync;
  SmallVector<Progress> work;
  std::set<decltype(first.key())> seen;
  auto follow = [&](const Progress &from) {
    for (const Edge &edge : edges[from.node]) {
      Progress next = from;
      next.node = edge.to;
      if (edge.loop)
        next.passage = next.passage.behind(access, edge.loop);
      if (seen.insert(next.key()).second)
        work.push_back(next);
    }
  };
  follow(first);
  while (!work.empty()) {
    Progress at = work.pop_back_val();
    if (const std::optional<Step> &step = nodes[at.node]) {
      if (pass(*step, access, at))
        continue;
      bool isSameInstance =
          step->access.op == access.op && at.passage.isSameValue;
      if (step->kind == Step::Touch && !isSameInstance &&
          model.conflict(access, step->access, at.passage))
        return Race{access, step->access};
    }
    follow(at);
  }
  return std::nullopt;
}

std::optional<Race> StepGraph::search() const {
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (nodes[node] && nodes[node]->kind == Step::Touch)
      if (std::optional<Race> race = searchFrom(node))
        return race;
  return std::nullopt;
}

std::optional<Race> simt::findRace(func::FuncOp kernel) {
  return StepGraph(kernel).search();
}
