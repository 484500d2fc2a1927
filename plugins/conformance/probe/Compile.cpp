//===- Compile.cpp - Rules TWB-5xx ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets, capabilities, artifacts, and requests that have to be refused.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include "runtime/artifact/Artifact.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

namespace tilewright::conformance {

static std::string status(int32_t value) {
  return "status " + std::to_string(value);
}

/// The bytes of the request's IR, changed.
static Compiled compileIR(Session &session,
                          const std::function<void(std::string &)> &change) {
  std::string bytes;
  return session.compile(session.anyCase(), [&](tw_compile_request &request) {
    bytes.assign(static_cast<const char *>(request.ir.data), request.ir.size);
    change(bytes);
    request.ir = {bytes.data(), bytes.size()};
  });
}

//===--- Targets and capabilities -----------------------------------------===//

static int32_t resolve(Session &session, const std::string &target,
                       std::string &resolved, Collector *reports = nullptr) {
  resolved.clear();
  return session.compiler().compile().resolve_target(
      session.compileBackend(), toStr(target),
      reports ? reports->sink() : nullptr, writerTo(resolved));
}

static std::string resolvesTargets(Session &session) {
  const std::string &vendor = session.settings.vendor;
  std::string first, again;
  int32_t result = resolve(session, vendor, first);
  expect(result == TW_OK, "'" + vendor + "' gives " + status(result));
  expect(first.rfind(vendor + ":", 0) == 0 && first.size() > vendor.size() + 1,
         "expected '" + vendor + ":' and an architecture, got '" + first + "'");
  result = resolve(session, first, again);
  expect(result == TW_OK && again == first,
         "'" + first + "' resolves to '" + again + "'");
  return first;
}

static std::string refusesTargets(Session &session) {
  std::string text;
  std::string target = session.settings.vendor + ":no-such-thing";
  int32_t result = resolve(session, target, text);
  expect(result != TW_OK, "'" + target + "' resolves to '" + text + "'");
  return {};
}

static std::string resolvesListedTargets(Session &session) {
  std::string list, resolved;
  int32_t result = session.compiler().compile().list_targets(
      session.compileBackend(), writerTo(list));
  if (result == TW_E_UNIMPLEMENTED)
    throw Skipped("there is no list_targets");
  expect(result == TW_OK, "list_targets gives " + status(result));
  std::istringstream lines(list);
  unsigned count = 0;
  for (std::string arch; std::getline(lines, arch); ++count) {
    result = resolve(session, session.settings.vendor + ":" + arch, resolved);
    expect(result == TW_OK, "'" + arch + "' gives " + status(result));
  }
  return std::to_string(count) + " targets";
}

static std::string knowsWhatItDoesNotKnow(Session &session) {
  std::string target;
  resolve(session, session.settings.vendor, target);
  tw_capability caps[3] = {};
  caps[0].id = TW_CAP_ARCH;
  caps[1].id = 0xfff0; // no minor has it
  caps[2].id = TW_CAP_VENDOR_FIRST + 0xffff;
  for (tw_capability &cap : caps)
    cap.answer = 77;
  int32_t result = session.compiler().compile().get_caps(
      session.compileBackend(), toStr(target), caps, 3);
  expect(result == TW_OK, "get_caps gives " + status(result));
  for (const tw_capability &cap : caps)
    expect(cap.answer <= TW_ANSWER_YES, "capability " + std::to_string(cap.id) +
                                            " is answered with " +
                                            std::to_string(cap.answer));
  expect(caps[1].answer == TW_ANSWER_UNKNOWN,
         "capability 65520, which does not exist, is answered with " +
             std::to_string(caps[1].answer));
  return {};
}

//===--- Artifacts --------------------------------------------------------===//

static artifact::Kernel recordOf(const std::string &bytes) {
  worker::Decoder decoder(bytes);
  tw_kernel_record record = {};
  visit(decoder, record);
  return artifact::Kernel::fromRecord(record);
}

static std::string compilesKernels(Session &session) {
  unsigned count = 0;
  std::string refused;
  session.anyCase();
  for (const Case &entry : session.settings.cases) {
    if (entry.request.empty()) {
      refused += (refused.empty() ? "" : ", ") + entry.name;
      continue;
    }
    const Compiled &artifact = session.artifact(entry);
    std::string name = "'" + entry.name + "': ";
    expect(!artifact.format.empty(), name + "the payload has no format");
    expect(!artifact.records.empty(), name + "there is no kernel record");
    for (const std::string &bytes : artifact.records) {
      artifact::Kernel record = recordOf(bytes);
      expect(!record.name.empty(), name + "a kernel record has no name");
      Problem problem;
      bool isValid = artifact::validateKernel(record, problem);
      expect(isValid, name + problem.message);
    }
    ++count;
  }
  return std::to_string(count) + " kernels" +
         (refused.empty() ? "" : "; not: " + refused);
}

/// "'x_ptr': *fp32, 'n': i32": what a signature passes at run time.
static std::string argumentsOf(const std::string &signature) {
  std::string result;
  std::istringstream entries(signature);
  for (std::string entry; std::getline(entries, entry, ',');) {
    std::istringstream words(entry);
    std::string name, type;
    std::getline(words >> std::ws, name, ':');
    if (std::getline(words, type, ':')) // a constant has no type
      result += (result.empty() ? "'" : ", '") + name + "': " + type;
  }
  return result;
}

static std::string listsArguments(Session &session) {
  unsigned count = 0;
  session.anyCase();
  for (const Case &entry : session.settings.cases) {
    if (entry.request.empty())
      continue;
    std::string wanted = argumentsOf(entry.signature);
    for (const std::string &bytes : session.artifact(entry).records) {
      artifact::Kernel record = recordOf(bytes);
      std::string got;
      for (const artifact::Parameter &parameter : record.parameters)
        if (artifact::isUser(parameter))
          got += (got.empty() ? "'" : ", '") + parameter.name +
                 "': " + artifact::typeOf(parameter);
      expect(got.empty() || got == wanted,
             "'" + entry.name + "': expected " + wanted + ", got " + got);
      count += !got.empty();
    }
  }
  return count ? std::to_string(count) + " records"
               : "no record lists any: the kernels take none at a launch";
}

static std::string guardsVariants(Session &session) {
  unsigned count = 0;
  session.anyCase();
  for (const Case &entry : session.settings.cases) {
    if (entry.request.empty())
      continue;
    const std::vector<std::string> &records = session.artifact(entry).records;
    for (size_t i = 0; i + 1 < records.size(); ++i, ++count) {
      artifact::Kernel record = recordOf(records[i]);
      expect(!record.facts.empty() || !record.predicate.empty(),
             "'" + entry.name + "': record " + std::to_string(i) + " of " +
                 std::to_string(records.size()) +
                 " has no fact and no predicate");
    }
  }
  return std::to_string(count) + " variants";
}

static std::string isDeterministic(Session &session) {
  unsigned count = 0;
  for (const Case &entry : session.settings.cases) {
    if (entry.request.empty() || count == 4)
      continue;
    ++count;
    expect(session.compile(entry).all() == session.artifact(entry).all(),
           "'" + entry.name + "' gives other bytes the second time");
  }
  session.anyCase();
  return {};
}

static std::string compilesConcurrently(Session &session) {
  constexpr unsigned threadCount = 4;
  std::vector<const Case *> cases;
  for (const Case &entry : session.settings.cases)
    if (!entry.request.empty() && cases.size() < threadCount)
      cases.push_back(&entry);
  session.anyCase();
  for (const Case *entry : cases)
    session.artifact(*entry);
  std::string wrong[threadCount];
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < threadCount; ++i)
    threads.emplace_back([&, i] {
      try {
        for (unsigned round = 0; round < 3; ++round) {
          const Case &entry = *cases[(i + round) % cases.size()];
          Compiled result = session.compile(entry);
          if (result.all() != session.artifact(entry).all())
            wrong[i] = "'" + entry.name + "' gives " + status(result.status) +
                       " or other bytes beside other compiles";
        }
      } catch (const std::exception &error) {
        wrong[i] = error.what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : wrong)
    expect(text.empty(), text);
  return {};
}

static std::string hasAFingerprint(Session &session) {
  std::string first, second;
  auto &table = session.compiler().compile();
  int32_t result = table.fingerprint(session.compileBackend(), writerTo(first));
  expect(result == TW_OK, "fingerprint gives " + status(result));
  table.fingerprint(session.compileBackend(), writerTo(second));
  expect(!first.empty(), "the fingerprint is empty");
  expect(first == second, "'" + first + "', then '" + second + "'");
  tw_backend *other = session.open(session.compiler());
  second.clear();
  table.fingerprint(other, writerTo(second));
  session.compiler().close(other);
  expect(first == second,
         "'" + first + "', in another backend '" + second + "'");
  return first;
}

//===--- Refusals ---------------------------------------------------------===//

static std::string refusesOptions(Session &session) {
  tw_option option = {};
  option.key = tw_string("org.tilewright.unheard-of");
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  Compiled result =
      session.compile(session.anyCase(), [&](tw_compile_request &request) {
        request.options = &option;
        request.option_count = 1;
      });
  expect(result.status == TW_E_UNKNOWN_OPTION,
         "expected status 65, got " + status(result.status));
  return {};
}

static std::string refusesFields(Session &session) {
  auto compile = [&](uint64_t newer) {
    return session
        .compile(session.anyCase(),
                 [&](tw_compile_request &request) {
                   request.size += sizeof newer;
                   *reinterpret_cast<uint64_t *>(&request + 1) = newer;
                 })
        .status;
  };
  int32_t result = compile(0);
  expect(result == TW_OK,
         "a larger request whose new field is zero gives " + status(result));
  result = compile(1);
  expect(result == TW_E_UNKNOWN_FIELD,
         "an unknown field that is not zero: expected status 64, got " +
             status(result));
  return {};
}

static std::string knowsExtensions(Session &session) {
  tw_extension second = {}, first = {};
  second.size = first.size = sizeof(tw_extension);
  second.id = 0x51a7e3b1; // no name of ours has this hash
  first.id = second.id + 1;
  first.next = &second;
  auto compile = [&](uint32_t flags) {
    second.flags = flags;
    return session
        .compile(
            session.anyCase(),
            [&](tw_compile_request &request) { request.extensions = &first; })
        .status;
  };
  int32_t result = compile(0);
  expect(result == TW_OK,
         "two unknown extensions that may be skipped: status " +
             status(result));
  result = compile(TW_EXTENSION_MUST_UNDERSTAND);
  expect(result == TW_E_UNKNOWN_FIELD,
         "an unknown extension that must be understood: expected status 64, "
         "got " +
             status(result));
  return {};
}

static std::string refusesFormats(Session &session) {
  std::string longer;
  for (int kind = 0; kind < 2; ++kind) {
    Compiled result =
        session.compile(session.anyCase(), [&](tw_compile_request &request) {
          longer = toString(request.ir_format) + "0";
          request.ir_format = kind == 0 ? tw_string("org.tilewright.unheard-of")
                                        : toStr(longer);
        });
    expect(result.status != TW_OK,
           std::string("IR of ") +
               (kind == 0 ? "an unknown format" : "another fingerprint") +
               " was compiled");
  }
  return {};
}

static std::string refusesTruncated(Session &session) {
  unsigned count = 0;
  for (double part : {0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.9999}) {
    Compiled result = compileIR(session, [&](std::string &bytes) {
      bytes.resize(
          std::min(size_t(double(bytes.size()) * part), bytes.size() - 1));
    });
    expect(result.status != TW_OK, "IR that was cut to " +
                                       std::to_string(int(part * 100)) +
                                       " % was compiled");
    ++count;
  }
  return std::to_string(count) + " cuts";
}

static std::string refusesDamaged(Session &session) {
  constexpr unsigned flips = 200;
  for (unsigned i = 0; i < flips; ++i) {
    size_t place = 0;
    Compiled result = compileIR(session, [&](std::string &bytes) {
      place = (uint64_t(i) * 2654435761u) % (bytes.size() * 8);
      bytes[place / 8] = char(bytes[place / 8] ^ (1 << place % 8));
    });
    expect(result.status != TW_OK,
           "IR with bit " + std::to_string(place) + " flipped was compiled");
  }
  return std::to_string(flips) + " flips";
}

static std::string refusesEntries(Session &session) {
  tw_str name = tw_string("no_such_kernel_in_this_module");
  Compiled result =
      session.compile(session.anyCase(), [&](tw_compile_request &request) {
        request.entries = &name;
        request.entry_count = 1;
      });
  expect(result.status != TW_OK, "a kernel that does not exist was compiled");
  return {};
}

static std::string stopsWhenCancelled(Session &session) {
  Compiled result =
      session.compile(session.anyCase(), [&](tw_compile_request &request) {
        request.cancelled = [](void *) { return int32_t(1); };
      });
  expect(result.status == TW_E_CANCELLED,
         "expected status 1, got " + status(result.status));
  return {};
}

static std::string keepsToTheResponse(Session &session) {
  const Case &entry = session.anyCase();
  // An older host: a response without its last four fields.
  struct {
    tw_compile_response response;
    uint64_t guard[4];
  } room;
  std::memset(&room, 0xab, sizeof room);
  uint32_t size = sizeof room.response - 32;
  Problem problem;
  std::ifstream file(entry.request, std::ios::binary);
  auto saved = worker::Reproducer::read(
      std::string(std::istreambuf_iterator<char>(file), {}), problem);
  if (!saved)
    throw Skipped(problem.str());
  std::memset(&room, 0, size);
  room.response.size = size;
  int32_t result = session.compiler().compile().compile(
      session.compileBackend(), &saved->request, &room.response);
  expect(result == TW_OK, "a smaller response gives " + status(result));
  auto *bytes = reinterpret_cast<const unsigned char *>(&room);
  for (size_t i = size; i < sizeof room; ++i)
    expect(bytes[i] == 0xab, "a response of " + std::to_string(size) +
                                 " bytes was written at byte " +
                                 std::to_string(i));
  return {};
}

static std::string emitsDiagnostics(Session &session) {
  std::string text;
  Collector reports;
  int32_t result = resolve(session, session.settings.vendor + ":no-such-thing",
                           text, &reports);
  expect(result != TW_E_DIAGNOSED || reports.errors,
         "resolve_target says that it told the user, and told nothing");
  Compiled compiled = compileIR(
      session, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
  expect(compiled.status != TW_E_DIAGNOSED || compiled.errors,
         "compile says that it told the user, and told nothing");
  return {};
}

const std::vector<CheckEntry> compileChecks = {
    {501, resolvesTargets},       {502, refusesTargets},
    {503, resolvesListedTargets}, {504, knowsWhatItDoesNotKnow},
    {505, compilesKernels},       {506, isDeterministic},
    {507, refusesOptions},        {508, refusesFields},
    {509, refusesFormats},        {510, refusesTruncated},
    {511, refusesDamaged},        {512, refusesEntries},
    {513, stopsWhenCancelled},    {514, keepsToTheResponse},
    {515, emitsDiagnostics},      {516, compilesConcurrently},
    {517, hasAFingerprint},       {519, knowsExtensions},
    {520, listsArguments},        {521, guardsVariants},
};

} // namespace tilewright::conformance
