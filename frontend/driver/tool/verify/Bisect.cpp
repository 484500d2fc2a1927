//===- Bisect.cpp - Which step of the compiler made it fail -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First each step alone; where that does not help, all up to each: a fault may
// need two steps.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Bisect.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <cstdio>

namespace tilewright::tool::verify {

using nlohmann::json;

namespace {
struct Step {
  std::string name, before, after, what;
};

/// One failed cell.
class Bisection {
public:
  Bisection(const RunnerOptions &runner, const PoolOptions &pool,
            const std::string &folder, const Experiment &experiment,
            const Row &row, const Cell &cell)
      : runner(runner), pool(pool), experiment(experiment), cell(cell),
        inputs(row.inputs), target(cell.target), vendor(vendorOf(cell.target)),
        place(folder + "/" + experiment.heading.id + "/" + cell.target) {}

  json run();

private:
  /// Texts of stages, in a process of its own; empty where there is none.
  std::vector<std::string> stages(const std::vector<std::string> &names);
  std::vector<Step> findSteps();
  /// Which trials pass on the target.
  std::vector<bool> passes(const std::vector<Experiment> &trials);
  /// The number of the first list of steps without which the cell passes.
  std::optional<size_t> firstThatHelps(const std::vector<std::string> &lists);
  Experiment without(const std::string &steps) const;
  std::string command(const std::string &disabled) const;
  std::string writeIR(const std::string &name, const std::string &stage,
                      const std::string &text);

  const RunnerOptions &runner;
  const PoolOptions &pool;
  const Experiment &experiment;
  const Cell &cell;
  std::string inputs;
  std::string target, vendor, place;
};
} // namespace

std::vector<std::string>
Bisection::stages(const std::vector<std::string> &names) {
  std::string answer = runForked([&] {
    CommonOptions options = experiment.optionsFor(runner.common, vendor);
    Session session(options);
    Arguments arguments(session.describeKernel(), experiment.heading.arguments,
                        experiment.signature);
    Result result = session.attempt(arguments.signature(), target, names);
    json texts = json::object();
    for (uint64_t i = 0; i < result->stage_count; ++i)
      texts[toString(result->stages[i].name)] =
          toString(result->stages[i].text);
    return texts.dump(-1, ' ', false, json::error_handler_t::replace);
  });
  json texts = json::parse(answer);
  std::vector<std::string> list;
  for (const std::string &name : names)
    list.push_back(texts.value(name, ""));
  return list;
}

std::vector<Step> Bisection::findSteps() {
  std::vector<Step> steps;
  json list = json::parse(stages({"steps"})[0], nullptr, false);
  if (!list.is_array())
    return steps;
  for (const json &step : list)
    steps.push_back({step.at("name"), step.at("before"), step.at("after"),
                     step.at("what")});
  return steps;
}

/// The row with more steps left out than it says itself.
Experiment Bisection::without(const std::string &steps) const {
  Experiment changed = experiment;
  std::string prefix = vendor + ":disable=", list = steps;
  std::vector<std::string> options;
  for (const std::string &option : changed.heading.options)
    if (option.compare(0, prefix.size(), prefix) == 0)
      list = option.substr(prefix.size()) + "," + list;
    else
      options.push_back(option);
  options.push_back(prefix + list);
  changed.heading.options = std::move(options);
  // What another machine saved is of the row without this option.
  changed.heading.inputs = inputs;
  return changed;
}

std::vector<bool> Bisection::passes(const std::vector<Experiment> &trials) {
  RunnerOptions only = runner;
  only.targets = {target};
  only.saveFolder.clear();
  std::vector<size_t> numbers;
  for (size_t i = 0; i < trials.size(); ++i)
    numbers.push_back(i);
  std::vector<bool> passed(trials.size(), false);
  WorkerPool(only, pool, [&](size_t number, Row row) {
    for (const Cell &cell : row.cells)
      passed[number] = cell.status == Status::Pass;
  }).run(trials, numbers);
  return passed;
}

std::optional<size_t>
Bisection::firstThatHelps(const std::vector<std::string> &lists) {
  std::vector<Experiment> trials;
  for (const std::string &list : lists)
    trials.push_back(without(list));
  std::vector<bool> passed = passes(trials);
  for (size_t i = 0; i < passed.size(); ++i)
    if (passed[i])
      return i;
  return std::nullopt;
}

static std::string quoted(const std::string &word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// One command that shows the difference, or with `disabled` steps does not.
std::string Bisection::command(const std::string &disabled) const {
  Experiment shown = disabled.empty() ? experiment : without(disabled);
  const Row &row = shown.heading;
  std::string text = "tilewright verify " + quoted(row.file) + " --kernel " +
                     row.kernel + " --math " + row.math + " --target " +
                     quoted("reference," + target) + " --grid " +
                     quoted(row.grid);
  auto add = [&](const char *option, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      text += std::string(" ") + option + " " + quoted(value);
  };
  add("--arg", row.arguments);
  add("--buffer", shown.extras);
  add("--out", shown.outputs);
  add("--opt", row.options);
  add("--plugin", runner.common.pluginPaths);
  add("--plugin-dir", runner.common.pluginFolders);
  if (!shown.signature.empty())
    add("--sig", {shown.signature});
  bool needsBits = false;
  std::map<std::string, std::string> files = shown.expected;
  for (const Comparison &comparison : cell.comparisons) {
    llvm::StringRef against = comparison.against;
    if (comparison.isEqual || !against.consume_front("saved "))
      continue;
    files[comparison.array] = runner.compareFolder + "/" + row.id + "/" +
                              against.str() + "/" + comparison.array + ".npy";
    needsBits |= shown.rule().isBits;
  }
  for (const auto &[array, file] : files)
    add("--expect", {array + "=" + file});
  if (needsBits)
    add("--tolerance", {"bits"});
  else if (!shown.tolerance.isDefault)
    add("--tolerance", {shown.tolerance.text()});
  return text;
}

std::string Bisection::writeIR(const std::string &name,
                               const std::string &stage,
                               const std::string &text) {
  if (text.empty())
    return "";
  if (std::error_code error = llvm::sys::fs::create_directories(place))
    throw Failure(7002, "cannot write '" + place + "': " + error.message());
  std::string path = place + "/" + name + "." + stage + ".txt";
  writeFile(path, text);
  return path;
}

json Bisection::run() {
  json answer = {{"step", ""},
                 {"what", ""},
                 {"command", command("")},
                 {"passing", ""},
                 {"before", ""},
                 {"after", ""},
                 {"text", "no optional step is to blame: the difference stays "
                          "without all of them"}};
  if (passes({experiment})[0]) {
    answer["text"] = "no step is blamed: the cell passed when it ran again "
                     "with all of them";
    return answer;
  }
  std::vector<Step> steps = findSteps();
  std::vector<std::string> alone, growing;
  for (const Step &step : steps) {
    alone.push_back(step.name);
    growing.push_back((growing.empty() ? "" : growing.back() + ",") +
                      step.name);
  }
  std::optional<size_t> found = firstThatHelps(alone);
  bool isAlone = found.has_value();
  if (!found)
    found = firstThatHelps(growing);
  if (!found)
    return answer;
  const Step &step = steps[*found];
  std::vector<std::string> texts = stages({step.before, step.after});
  answer["step"] = step.name;
  answer["what"] = step.what;
  answer["passing"] = command(isAlone ? alone[*found] : growing[*found]);
  answer["before"] = writeIR("before", step.before, texts[0]);
  answer["after"] = writeIR("after", step.after, texts[1]);
  answer["text"] = "step '" + step.name + "' (" + step.what + "): without it" +
                   (isAlone ? "" : " and those before it") +
                   " the cell passes; IR around it in " + place;
  return answer;
}

void bisectFailures(const RunnerOptions &runner, const PoolOptions &pool,
                    const std::string &folder,
                    const std::vector<Experiment> &experiments,
                    std::vector<Row> &rows) {
  for (size_t i = 0; i < rows.size(); ++i)
    for (Cell &cell : rows[i].cells) {
      if (cell.status != Status::Fail || vendorOf(cell.target) == "reference")
        continue;
      std::fprintf(stderr, "bisecting %s on %s\n", rows[i].id.c_str(),
                   cell.target.c_str());
      cell.bisected =
          Bisection(runner, pool, folder, experiments[i], rows[i], cell).run();
    }
}

} // namespace tilewright::tool::verify
