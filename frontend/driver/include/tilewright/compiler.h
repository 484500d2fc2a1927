/*===- compiler.h - Source text to artifact, C interface ----------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Compiles one kernel of a source text for one target. Needs no Python and no*/
/* device, writes no file but in the folder of option cache_folder. Layout and*/
/* ownership rules are those of base.h.                                       */
/*                                                                            */
/* Threads: one compiler may be used from any number of threads at once; one  */
/* result by one thread at a time. No exception crosses, nothing is printed.  */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_COMPILER_H
#define TILEWRIGHT_COMPILER_H

#include "tilewright/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TW_COMPILER_API
#else
#define TW_COMPILER_API __attribute__((visibility("default")))
#endif

typedef struct tw_compiler tw_compiler;

/* All fields may be zero. Plugins are looked for in this order: the explicit
   paths, the search folders, `tilewright/` beside this library. */
typedef struct tw_compiler_config {
  uint32_t size;
  uint32_t flags;
  const tw_str *plugin_paths; /* files */
  uint64_t plugin_path_count;
  const tw_str *search_folders;
  uint64_t search_folder_count;
  /* For the plugins, but for those of the compiler itself:
     isolation: text, "process" (default: plugins of every vendor but cpu
     compile in worker processes, so that one that crashes or hangs costs an
     error) or "none"; compile_seconds, compile_megabytes: numbers, what a
     compile in a worker may take (300; three quarters of the machine's memory);
     reproducer_folder: text, where requests that failed so are kept ("/tmp").
     For the cache, without which every call of tw_compile compiles:
     cache_folder: text, a folder of one's own that is made when needed;
     cache_shared: text, a folder that is only read, repeatable;
     cache_megabytes: number, what the own folder may hold (4096, 0: all). What
     is wrong with a folder is a warning of the next compile. */
  const tw_option *options;
  uint64_t option_count;
} tw_compiler_config;

/* Creates a compiler; on failure `error` (may have NULL write) gets the text.
 */
TW_COMPILER_API int32_t tw_compiler_create(const tw_compiler_config *config,
                                           tw_writer error,
                                           tw_compiler **compiler);
TW_COMPILER_API void tw_compiler_release(tw_compiler *compiler);

/* Targets of all plugins, one a line: "cpu:znver4", ... */
TW_COMPILER_API int32_t tw_compiler_targets(tw_compiler *compiler,
                                            tw_writer out);
/* Text for people: each plugin found, and why those left out were left out. */
TW_COMPILER_API int32_t tw_compiler_plugin_report(tw_compiler *compiler,
                                                  tw_writer out);
/* Begins to load what compiles for a target, and returns at once: the first
   compile for it takes less time. What is wrong with the target is for that
   compile to say. */
TW_COMPILER_API void tw_compiler_prepare(tw_compiler *compiler, tw_str target);
/* "cpu" -> "cpu:znver4". Diagnostics go to `sink` (may be NULL). */
TW_COMPILER_API int32_t tw_compiler_resolve_target(tw_compiler *compiler,
                                                   tw_str target,
                                                   const tw_sink *sink,
                                                   tw_writer out);

/* The kernels of a source text as JSON, for hosts that build signatures:
   [{"name": "add", "line": 5, "parameters": [{"name": "x_ptr",
   "constexpr": false, "annotation": "", "default": null}, ...]}, ...]. A
   default or annotation is given as source text. Errors go to `sink`. */
TW_COMPILER_API int32_t tw_compiler_describe(tw_compiler *compiler,
                                             tw_str source, tw_str file_name,
                                             const tw_sink *sink,
                                             tw_writer out);

/* The functions of the language whose names start with `prefix`, one a line
   with their parameters: "tl.load(pointer, mask=None, ...)". */
TW_COMPILER_API int32_t tw_compiler_names(tw_str prefix, tw_writer out);

/* Runs a compile request again that was saved: the file that a failed worker
   left, or stage "request" of a compile. `plugin` is a library, empty: the one
   that the request names. Diagnostics go to `sink`, what came out to `out`. */
TW_COMPILER_API int32_t tw_compiler_replay(tw_compiler *compiler,
                                           tw_bytes request, tw_str plugin,
                                           const tw_sink *sink, tw_writer out);

/*--- Request ----------------------------------------------------------------*/

/* A global that the kernel's source mentions but the text does not define. */
typedef struct tw_captured {
  tw_str name;
  tw_str value; /* a constant as in a signature: 3, 0.5, "relu", (1, 2), None */
} tw_captured;

/* A module that the source imports, given as text. */
typedef struct tw_source_module {
  tw_str name;      /* as in the import statement */
  tw_str file_name; /* for diagnostics */
  tw_str text;
} tw_source_module;

/* In `flags` of tw_compile_input: take the artifact from the cache or fail with
   TW7204, which says how the nearest entry differs. */
#define TW_COMPILE_CACHED_ONLY 1u

typedef struct tw_compile_input {
  uint32_t size;
  uint32_t flags;
  tw_str source;    /* UTF-8 text of the file */
  tw_str file_name; /* for diagnostics and debug information */
  tw_str kernel;    /* empty: the only kernel of the text */
  /* "x:*fp32, n:i32[:16], BLOCK=1024"; grammar in docs/language.md. */
  tw_str signature;
  tw_str target; /* one target, e.g. "cpu" */
  /* num_warps, num_stages, math, ... Of the compiler itself: overrides, text
     ("on"; "off": high-level ops are compiled from their own definitions;
     "whole": they stay whole in the stages); pin_op, text "softmax=builtin,..."
     (who implements an op); trace_overrides, 1: a remark "override: ..." for
     each decision. */
  const tw_option *options;
  uint64_t option_count;
  const tw_captured *globals;
  uint64_t global_count;
  const tw_source_module *modules;
  uint64_t module_count;
  /* Texts to return: "ast", "tile", "functions" (file and line of each function
     that the kernel inlines), "imports" (texts of the modules that were read
     from files), "identity" (what a prebuilt artifact names the kernel by),
     "kernel", "portable" (bytes of tw.portable), "request" (what the plugin
     would be asked, for tw_compiler_replay), "llvm", "asm"; an unknown one is
     an error. */
  const tw_str *stages;
  uint64_t stage_count;
  int32_t (*cancelled)(void *ctx); /* non-zero: stop; NULL: never */
  void *cancel_ctx;
  /* Folders that imported modules are read from, as Python files; the folder of
     `file_name` (or of its outermost package) comes first. None: no file is
     read. `modules` win. */
  const tw_str *module_folders;
  uint64_t module_folder_count;
} tw_compile_input;

/*--- Result -----------------------------------------------------------------*/

typedef struct tw_timing {
  tw_str stage;
  uint64_t nanoseconds;
} tw_timing;

/* In `flags` of tw_compile_result: nothing was compiled. Diagnostics and
   remarks are those of the compile that made the entry. */
#define TW_RESULT_FROM_CACHE 1u

/* Owned by the compiler library; valid until tw_compile_result_release. */
typedef struct tw_compile_result {
  uint32_t size;
  uint32_t flags;
  int32_t status; /* as returned by tw_compile */
  uint32_t reserved;
  tw_bytes artifact;           /* a .twa file; empty on failure */
  const tw_stage_text *stages; /* those asked for and reached, in order */
  uint64_t stage_count;
  const tw_diagnostic *const *diagnostics; /* errors, warnings, notes */
  uint64_t diagnostic_count;
  const tw_diagnostic *const *remarks;
  uint64_t remark_count;
  tw_str rendered; /* all diagnostics as text, with source line and caret */
  tw_str target;   /* resolved */
  const tw_timing *timings;
  uint64_t timing_count;
} tw_compile_result;

/* Compiles. `*result` is set whenever a compile was tried, also when the
   status is TW_E_DIAGNOSED (the source is wrong: see `diagnostics`). It is NULL
   only for TW_E_INVALID_ARGUMENT, TW_E_UNKNOWN_FIELD and TW_E_EXHAUSTED. */
TW_COMPILER_API int32_t tw_compile(tw_compiler *compiler,
                                   const tw_compile_input *input,
                                   const tw_compile_result **result);
/* Whether the kernel fits the target: shared memory, threads, what the target
   can do. Where the target's plugin can tell, nothing is generated; others
   compile. JSON: {"version": 1, "target": ..., "fits": true or false,
   "reasons": [{"code", "message", "file", "line", "column", "hint", "notes"}],
   "kernels": [{"kernel", "warps", "lanes", "shared_bytes", "shared_limit",
   "registers_estimate", "registers_limit"}], "alternatives": [{"constants":
   {name: value}, "options": {name: value}}]}; the last where it does not fit:
   the least change of each that does. `stages` of the input are ignored.
   Returns TW_OK whatever the answer is. */
TW_COMPILER_API int32_t tw_compiler_fits(tw_compiler *compiler,
                                         const tw_compile_input *input,
                                         tw_writer out);

TW_COMPILER_API void tw_compile_result_release(const tw_compile_result *result);

/* Version of this library, as TW_ABI_VERSION of plugin.h. */
TW_COMPILER_API uint32_t tw_compiler_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_COMPILER_H */
