/*===- plugin.h - The backend plugin interface, version 0.9 -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Everything a shared library must provide to be a Tilewright backend: one   */
/* exported function, negotiated both ways, and four tables of functions      */
/* (profiles), any subset of which a library may offer. Bytes and plain data  */
/* only; layout and ownership rules are in base.h.                            */
/*                                                                            */
/* Threads: tables may be called from any thread; tw_backend and tw_device    */
/* synchronise themselves, every other object is synchronised by its user,    */
/* except that concurrent `launch` of one kernel on different streams is      */
/* legal. No exception, longjmp, exit or abort may cross; signal handlers,    */
/* locale, environment and floating-point control stay as they are.           */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_PLUGIN_H
#define TILEWRIGHT_PLUGIN_H

#include "tilewright/base.h"
#include "tilewright/record.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TW_ABI_MAJOR 0u
#define TW_ABI_MINOR 9u
#define TW_ABI_VERSION(major, minor) (((uint32_t)(major) << 16) | (minor))
#define TW_OFFER_MAGIC 0x31424157454c4954ull /* "TILEWAB1", little-endian */

/* Objects of the plugin; the host only passes the pointers on. */
typedef struct tw_backend tw_backend;
typedef struct tw_device tw_device;
typedef struct tw_stream tw_stream;
typedef struct tw_event tw_event;
typedef struct tw_module tw_module;
typedef struct tw_kernel tw_kernel;

/* Header of every chained extension. An unknown one with bit 0 of `flags` set
   is refused with TW_E_UNKNOWN_FIELD, any other unknown one is skipped. */
#define TW_EXTENSION_MUST_UNDERSTAND 1u
typedef struct tw_extension {
  const struct tw_extension *next;
  uint32_t size;
  uint32_t id; /* FNV-1a 32 of the reverse-DNS name */
  uint32_t flags;
  uint32_t reserved;
} tw_extension;

/*--- Negotiation ------------------------------------------------------------*/

/* What the host lends to the plugin; valid until the backend is closed.
   All functions may be called from any thread. */
typedef struct tw_host_services {
  uint32_t size;
  uint32_t flags;
  void *ctx;
  void (*log)(void *ctx, uint32_t severity, tw_str text);
  void *(*allocate)(void *ctx, uint64_t bytes, uint64_t alignment);
  void (*release)(void *ctx, void *memory);
  uint32_t (*thread_hint)(void *ctx); /* threads that a call may use, >= 1 */
  /* A named table of the host, or NULL: "vendor.feature", version. */
  const void *(*get_interface)(void *ctx, tw_str name, uint32_t version);
} tw_host_services;

/* Host interface "tilewright.print", version 1: where text printed by device
   code goes. A whole text per call, from any thread. */
#define TW_PRINT_INTERFACE_NAME "tilewright.print"
typedef struct tw_print_interface {
  uint32_t size;
  uint32_t flags;
  void *ctx;
  void (*write)(void *ctx, const char *text, uint64_t bytes);
} tw_print_interface;

#define TW_SANITIZER_NONE 0
#define TW_SANITIZER_ADDRESS 1
#define TW_SANITIZER_THREAD 2
#define TW_SANITIZER_MEMORY 3

typedef struct tw_host_offer {
  uint32_t size;
  uint32_t flags;
  uint64_t magic;        /* TW_OFFER_MAGIC */
  uint32_t min_version;  /* TW_ABI_VERSION, oldest the host speaks */
  uint32_t max_version;  /* newest */
  uint32_t portable_min; /* versions of `tw.portable` the host writes; 0, 0: */
  uint32_t portable_max; /* none */
  uint32_t sanitizer;    /* TW_SANITIZER_* the host is built with */
  uint32_t reserved;
  tw_str build_id;
} tw_host_offer;

#define TW_PROFILE_COMPILE 1u
#define TW_PROFILE_RUNTIME 2u
#define TW_PROFILE_LAUNCH 4u /* needs RUNTIME */
#define TW_PROFILE_OVERRIDE 8u

#define TW_BACKEND_UNLOADABLE 1u /* the host may dlclose the library */

/* Settings of one opened backend. */
typedef struct tw_backend_config {
  uint32_t size;
  uint32_t flags;
  const tw_host_services *services;
  const tw_option *options; /* e.g. "threads" */
  uint64_t option_count;
  const tw_sink *sink; /* for errors of `open` */
} tw_backend_config;

struct tw_compile_table;
struct tw_runtime_table;
struct tw_launch_table;
struct tw_override_table;

/* The host sets `size` and zeroes the rest; the plugin fills what fits (see
   tw_write_struct). Texts and tables live as long as the library is loaded. */
typedef struct tw_backend_answer {
  uint32_t size;
  uint32_t flags;    /* TW_BACKEND_* */
  uint32_t version;  /* chosen, within the offer's range */
  uint32_t profiles; /* TW_PROFILE_* */
  tw_str vendor;     /* the word before ':' in a target, e.g. "cpu" */
  tw_str name;       /* for people */
  tw_str build_id;
  uint32_t portable_min; /* versions of `tw.portable` the plugin reads */
  uint32_t portable_max;
  int32_t refusal; /* TW_E_* with `refusal_text`; 0: accepted */
  uint32_t reserved;
  tw_str refusal_text;
  int32_t (*open)(const tw_backend_config *config, tw_backend **backend);
  void (*close)(tw_backend *backend);
  const struct tw_compile_table *compile;
  const struct tw_runtime_table *runtime;
  const struct tw_launch_table *launch;
  const struct tw_override_table *overrides;
  /* Optional: a table named by the vendor, or NULL. */
  const void *(*get_interface)(tw_str name, uint32_t version);
} tw_backend_answer;

/* The only exported symbol, frozen for ever. Pure, cheap, repeatable: no
   driver is opened and no thread started. Returns 0 or answer->refusal. */
typedef int32_t (*tw_backend_entry_fn)(const tw_host_offer *offer,
                                       tw_backend_answer *answer);
#define TW_BACKEND_ENTRY_NAME "tw_backend_entry"

#if defined(_WIN32)
#define TW_EXPORT __declspec(dllexport)
#else
#define TW_EXPORT __attribute__((visibility("default")))
#endif

/* Defined by every plugin. */
TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                   tw_backend_answer *answer);

/* What an entry has to do with an offer: reads it and picks the newest version
   that both sides speak, `oldest` to this header's for the plugin. Returns 0,
   or the status to refuse with and, in `text`, why. */
static inline int32_t tw_accept_offer(const tw_host_offer *given,
                                      uint32_t oldest, uint32_t *version,
                                      const char **text) {
  const uint32_t newest = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  tw_host_offer offer;
  int32_t status = tw_read_struct(&offer, (uint32_t)sizeof offer, given);
  if (status) {
    *text = status == TW_E_UNKNOWN_FIELD
                ? "the host offers something that this plugin does not know"
                : "the offer is not readable";
    return status;
  }
  if (offer.magic != TW_OFFER_MAGIC) {
    *text = "the offer does not come from tilewright";
    return TW_E_INVALID_ARGUMENT;
  }
  *version = offer.max_version < newest ? offer.max_version : newest;
  if (*version >= oldest && *version >= offer.min_version)
    return TW_OK;
  *text = *version < oldest
              ? "the host is older than any version that this plugin speaks"
              : "the host is newer than any version that this plugin speaks";
  return TW_E_VERSION;
}

/*--- Capabilities -----------------------------------------------------------*/

#define TW_ANSWER_UNKNOWN 0u /* the plugin does not know this id */
#define TW_ANSWER_NO 1u
#define TW_ANSWER_YES 2u /* `value` or `text` holds it */

#define TW_CAP_ARCH 1u              /* text */
#define TW_CAP_SUBGROUP_SIZE 2u     /* lanes */
#define TW_CAP_SHARED_BYTES 3u      /* of a block */
#define TW_CAP_MAX_THREADS 4u       /* of a block */
#define TW_CAP_PROCESSORS 5u        /* multiprocessors or cores */
#define TW_CAP_MEMORY_BYTES 6u      /* of the device */
#define TW_CAP_VECTOR_BITS 7u       /* widest register */
#define TW_CAP_STORAGE_DTYPES 8u    /* value: bit per TW_DTYPE_* */
#define TW_CAP_ARITHMETIC_DTYPES 9u /* native arithmetic */
#define TW_CAP_MATRIX_DTYPES 10u    /* native matrix multiply operands */
#define TW_CAP_FLAT_ADDRESSES 11u   /* buffers are 8-byte addresses */
#define TW_CAP_ASYNC_COPY 12u
#define TW_CAP_TENSOR_MAP 13u
#define TW_CAP_GRAPH_CAPTURE 14u
#define TW_CAP_COOPERATIVE_LAUNCH 15u
#define TW_CAP_ATOMIC_DTYPES 16u  /* value: bit per TW_DTYPE_* for add */
#define TW_CAP_UNIFIED_MEMORY 17u /* host and device share addresses */
#define TW_CAP_CLUSTERS 18u       /* largest cluster */
#define TW_CAP_MAX_PROGRAMS 19u   /* largest number of programs an axis */
#define TW_CAP_HINTS 20u /* text: the hints it reads, one name a line */
/* text: the forms of IR that `compile` reads, one a line: "mlir.exact:<id>",
   "tw.portable:<oldest>-<newest>". Where it is not known, the host goes by
   portable_min and portable_max of the answer. */
#define TW_CAP_IR_FORMATS 21u
/* text: the formats of device libraries that `compile` links, one a line:
   "llvm.bc", ... */
#define TW_CAP_LIBRARY_FORMATS 22u
#define TW_CAP_VENDOR_FIRST 0x10000u

/* One question; the caller sets `id`, the plugin the rest. */
typedef struct tw_capability {
  uint32_t id;
  uint32_t answer; /* TW_ANSWER_* */
  int64_t value;
  tw_str text; /* lives as long as the object that was asked */
} tw_capability;

/*--- COMPILE ----------------------------------------------------------------*/

typedef struct tw_op_use {
  tw_str name; /* "linalg.matmul" */
  uint32_t version;
  uint32_t count; /* how often it occurs */
} tw_op_use;

typedef struct tw_library {
  tw_str format; /* "llvm.bc", "obj", ... */
  tw_str name;
  tw_bytes content;
} tw_library;

typedef struct tw_compile_request {
  uint32_t size;
  uint32_t flags;
  tw_str ir_format;    /* "tw.portable", "mlir.exact:<fingerprint>", ... */
  uint32_t ir_version; /* of the format */
  uint32_t reserved;
  tw_bytes ir;
  const tw_str *entries; /* kernels to compile */
  uint64_t entry_count;
  const tw_op_use *ops; /* every op of `ir`, to refuse before parsing */
  uint64_t op_count;
  tw_str target;            /* resolved, e.g. "cpu:znver4+avx512f" */
  const tw_option *options; /* num_warps, num_stages, math, ... */
  uint64_t option_count;
  const tw_library *libraries; /* device code of overrides to link */
  uint64_t library_count;
  const tw_str *stages; /* stage texts to return: "llvm", "asm", ... */
  uint64_t stage_count;
  const tw_sink *sink;
  int32_t (*cancelled)(void *ctx); /* non-zero: stop; NULL: never */
  void *cancel_ctx;
  uint64_t memory_limit; /* bytes, 0: none */
  uint64_t time_limit;   /* nanoseconds, 0: none */
  const tw_extension *extensions;
} tw_compile_request;

/* Filled on success; the host calls `release(release_ctx)` once when done. The
   host sets `size` and zeroes the rest (see tw_write_struct). */
typedef struct tw_compile_response {
  uint32_t size;
  uint32_t flags;
  tw_str format; /* of the payload: "elf-so", "ptx", "cubin", ... */
  tw_bytes payload;
  const tw_kernel_record *const *kernels;
  uint64_t kernel_count;
  const tw_stage_text *stages; /* those of the request that exist here */
  uint64_t stage_count;
  const tw_diagnostic *const *remarks;
  uint64_t remark_count;
  tw_str compat;          /* for grade_artifact */
  const tw_option *tools; /* name -> version text */
  uint64_t tool_count;
  const tw_str *overrides; /* claims that were used, for people */
  uint64_t override_count;
  void (*release)(void *ctx);
  void *release_ctx;
} tw_compile_response;

typedef struct tw_compile_table {
  uint32_t size;
  uint32_t flags;
  /* Required. Everything that may change an artifact for equal requests:
     plugin build, tool versions, option defaults. Part of the cache key. */
  int32_t (*fingerprint)(tw_backend *backend, tw_writer out);
  /* Required. Makes a target explicit ("cpu" -> "cpu:znver4"); empty arch means
     the attached device or the documented default. */
  int32_t (*resolve_target)(tw_backend *backend, tw_str target,
                            const tw_sink *sink, tw_writer out);
  /* Required. Capabilities of a resolved target. */
  int32_t (*get_caps)(tw_backend *backend, tw_str target, tw_capability *caps,
                      uint64_t count);
  /* Required. Re-entrant; equal requests give equal bytes. */
  int32_t (*compile)(tw_backend *backend, const tw_compile_request *request,
                     tw_compile_response *response);
  /* Optional. Answers from target, options, formats and op inventory alone. */
  int32_t (*can_compile)(tw_backend *backend,
                         const tw_compile_request *request);
  /* Optional. Known architectures, one a line. */
  int32_t (*list_targets)(tw_backend *backend, tw_writer out);
} tw_compile_table;

/*--- RUNTIME ----------------------------------------------------------------*/

#define TW_COPY_HOST_TO_DEVICE 1u
#define TW_COPY_DEVICE_TO_HOST 2u
#define TW_COPY_DEVICE_TO_DEVICE 3u

#define TW_GRADE_UNUSABLE 0u
#define TW_GRADE_RECOMPILE 1u /* must be remade to be right or fast */
#define TW_GRADE_USABLE 2u
#define TW_GRADE_OPTIMAL 3u

/* Addresses are device addresses (TW_CAP_FLAT_ADDRESSES). All slots are
   required unless marked. Work of one stream runs in order. An error of device
   code is sticky: every later call on the stream returns TW_E_DEVICE_ERROR
   until stream_synchronize has reported it to a sink. */
typedef struct tw_runtime_table {
  uint32_t size;
  uint32_t flags;
  int32_t (*device_count)(tw_backend *backend, uint32_t *count);
  int32_t (*device_open)(tw_backend *backend, uint32_t ordinal,
                         const tw_sink *sink, tw_device **device);
  void (*device_close)(tw_device *device);
  int32_t (*device_name)(tw_device *device, tw_writer out);
  int32_t (*get_caps)(tw_device *device, tw_capability *caps, uint64_t count);
  int32_t (*memory_allocate)(tw_device *device, uint64_t bytes,
                             uint64_t alignment, uint64_t *address);
  int32_t (*memory_free)(tw_device *device, uint64_t address);
  /* Makes host memory usable by kernels without a copy; memory_unimport ends
     that. TW_E_UNIMPLEMENTED where the device cannot. */
  int32_t (*memory_import)(tw_device *device, void *host, uint64_t bytes,
                           uint64_t *address);
  int32_t (*memory_unimport)(tw_device *device, uint64_t address);
  int32_t (*memory_copy)(tw_stream *stream, uint64_t destination,
                         uint64_t source, uint64_t bytes, uint32_t kind);
  /* Repeats `pattern_bytes` (1, 2, 4 or 8) low bytes of `pattern`. */
  int32_t (*memory_fill)(tw_stream *stream, uint64_t destination,
                         uint64_t pattern, uint32_t pattern_bytes,
                         uint64_t bytes);
  int32_t (*stream_create)(tw_device *device, tw_stream **stream);
  int32_t (*stream_wrap)(tw_device *device, uint64_t native,
                         tw_stream **stream);
  int32_t (*stream_native)(tw_stream *stream, uint64_t *native);
  void (*stream_destroy)(tw_stream *stream);
  int32_t (*stream_synchronize)(tw_stream *stream, const tw_sink *sink);
  int32_t (*stream_wait)(tw_stream *stream, tw_event *event);
  int32_t (*event_create)(tw_device *device, tw_event **event);
  void (*event_destroy)(tw_event *event);
  int32_t (*event_record)(tw_event *event, tw_stream *stream);
  int32_t (*event_synchronize)(tw_event *event);
  int32_t (*event_elapsed)(tw_event *start, tw_event *end,
                           uint64_t *nanoseconds);
  int32_t (*module_load)(tw_device *device, tw_str format, tw_bytes payload,
                         const tw_sink *sink, tw_module **module);
  void (*module_unload)(tw_module *module);
  int32_t (*grade_artifact)(tw_device *device, tw_str format, tw_str compat,
                            uint32_t *grade);
} tw_runtime_table;

/*--- LAUNCH -----------------------------------------------------------------*/

/* Number of programs on each axis, 0 .. 2^31-1. */
typedef struct tw_dims {
  int64_t x;
  int64_t y;
  int64_t z;
} tw_dims;

typedef struct tw_launch_table {
  uint32_t size;
  uint32_t flags;
  /* Required. Resolves function, attributes and argument layout once and loads
     the code; after it `launch` never loads. The record is copied. */
  int32_t (*prepare)(tw_module *module, const tw_kernel_record *record,
                     const tw_sink *sink, tw_kernel **kernel);
  /* Required. */
  void (*kernel_destroy)(tw_kernel *kernel);
  /* Required, frozen. `args` is the packed user block, `ext` a tw_extension
     chain or NULL. No allocation, lock, look-up, log or event on this path. */
  int32_t (*launch)(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                    const void *args, uint32_t args_size, const void *ext);
  /* Required. User block -> device block (derived and hidden parameters);
     used by launch itself and by graph updates. */
  int32_t (*encode_args)(tw_kernel *kernel, const tw_dims *dims,
                         const void *args, uint32_t args_size, void *device,
                         uint32_t capacity, uint32_t *written);
  /* Optional. The driver's own handle of the function. */
  int32_t (*kernel_native)(tw_kernel *kernel, uint64_t *native);
} tw_launch_table;

/*--- OVERRIDE ---------------------------------------------------------------*/

#define TW_OVERRIDE_IR_LIBRARY 1u
#define TW_OVERRIDE_DEVICE_LIBRARY 2u
#define TW_OVERRIDE_CALLBACK 3u
#define TW_OVERRIDE_ARTIFACT 4u
/* No content: the op reaches `compile` of the same library whole, as
   kernel.call_op with its decomposition inside. */
#define TW_OVERRIDE_WHOLE 5u

#define TW_NUMERICS_EXACT 1u
#define TW_NUMERICS_ULP 2u /* at most `ulp` units from the decomposition */
#define TW_NUMERICS_FAST 3u

/* A claim on a high-level op. Declining is always legal: the op's reference
   decomposition is the fallback and the test oracle. */
typedef struct tw_override_record {
  uint32_t size;
  uint32_t flags;
  tw_str op; /* "softmax" */
  uint32_t min_version;
  uint32_t max_version;
  uint32_t form;     /* TW_OVERRIDE_* */
  int32_t priority;  /* higher wins */
  uint32_t numerics; /* TW_NUMERICS_* */
  uint32_t ulp;
  uint64_t dtypes; /* bit per TW_DTYPE_* of the first operand; 0: any */
  uint32_t min_rank;
  uint32_t max_rank;     /* 0: any */
  tw_str arch;           /* resolved targets it is for, a prefix; empty: any */
  tw_str symbol;         /* function in the library */
  tw_str provider;       /* name used by --pin-op */
  tw_bytes content_hash; /* form ARTIFACT: identity of the kernel it replaces */
  /* Expression (record.h) that is not 0 for the shapes that the claim is for;
     empty: all. Its arguments are the extents of the first operand, as many as
     its rank, and then the compile-time arguments of the call that `arguments`
     names: numbers. A call that lacks one of them is not claimed. */
  tw_bytes predicate;
  const tw_str *arguments;
  uint64_t argument_count;
} tw_override_record;

typedef struct tw_override_table {
  uint32_t size;
  uint32_t flags;
  /* Required. The list lives as long as the backend. */
  int32_t (*list)(tw_backend *backend, tw_str target,
                  const tw_override_record *const **records, uint64_t *count);
  /* Required for library forms and artifacts: "tw.portable" with a kernel
     `symbol` whose kernel.call_op of the same name, types and arguments holds
     the body; a format of TW_CAP_LIBRARY_FORMATS with the elementwise function
     `symbol`; "twa". Content lives as long as the backend. */
  int32_t (*library)(tw_backend *backend, const tw_override_record *record,
                     tw_library *out);
  /* Optional, form CALLBACK: `op` is tw.portable with one kernel, in which the
     call stands as kernel.call_op with its decomposition; `out` gets the same
     with another body. Pure and re-entrant; TW_E_UNIMPLEMENTED declines. */
  int32_t (*lower)(tw_backend *backend, const tw_override_record *record,
                   tw_bytes op, const tw_sink *sink, tw_writer out);
  /* Optional: new ops. Source text in the language, whose functions decorated
     with @tw.op("vendor.name@1") kernels find as tl.extra.<vendor>.<function>.
     Their bodies are the decompositions for every target without a claim. */
  int32_t (*sources)(tw_backend *backend, tw_writer out);
} tw_override_table;

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_PLUGIN_H */
