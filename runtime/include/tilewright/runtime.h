/*===- runtime.h - Load and launch artifacts, C interface ---------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Context, devices, buffers, streams, events, artifacts, kernels, launch.    */
/* Every call returns a TW_OK / TW_E_* status; the code and text of the       */
/* calling thread's last failure are in tw_rt_last_error. No exception        */
/* crosses. The library needs neither MLIR nor LLVM.                          */
/*                                                                            */
/* Threads: context, device, artifact and kernel may be used from any number  */
/* of threads; one stream, buffer or event by one thread at a time, with one  */
/* exception: buffers may be used by launches on several streams.             */
/* Lifetime: an object stays usable until its own release call; objects made  */
/* from it keep what they need alive, so order of release does not matter.    */
/* Layout and ownership rules are those of base.h.                            */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_RUNTIME_H
#define TILEWRIGHT_RUNTIME_H

#include "tilewright/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TW_RT_API
#else
#define TW_RT_API __attribute__((visibility("default")))
#endif

typedef struct tw_rt_context tw_rt_context;
typedef struct tw_rt_device tw_rt_device;
typedef struct tw_rt_buffer tw_rt_buffer;
typedef struct tw_rt_stream tw_rt_stream;
typedef struct tw_rt_event tw_rt_event;
typedef struct tw_rt_artifact tw_rt_artifact;
typedef struct tw_rt_kernel tw_rt_kernel;

/*--- Errors -----------------------------------------------------------------*/

/* The calling thread's last failure. Texts are valid until the thread's next
   call into this library. */
typedef struct tw_rt_error {
  uint32_t size;
  uint32_t flags;
  int32_t status; /* TW_E_* */
  uint32_t code;  /* the number of `TWnnnn` */
  tw_str message; /* "TW6003: expected 3 arguments, got 2" */
  tw_str hint;    /* the next step; may be empty */
} tw_rt_error;

/* Set error->size first; see the reader rule of base.h. */
TW_RT_API int32_t tw_rt_last_error(tw_rt_error *error);

/*--- Context ----------------------------------------------------------------*/

/* All fields may be zero. Plugins are looked for in this order: the explicit
   paths, the search folders, `tilewright/` beside this library. */
typedef struct tw_rt_config {
  uint32_t size;
  uint32_t flags;
  const tw_str *plugin_paths; /* files */
  uint64_t plugin_path_count;
  const tw_str *search_folders;
  uint64_t search_folder_count;
  const tw_option *options; /* for the plugins: "threads" (int) of the CPU */
  uint64_t option_count;
  tw_writer print; /* text printed by kernels; NULL write: standard output */
} tw_rt_config;

TW_RT_API int32_t tw_rt_context_create(const tw_rt_config *config,
                                       tw_rt_context **context);
TW_RT_API void tw_rt_context_release(tw_rt_context *context);
/* Text for people: each plugin found, and why those left out were left out. */
TW_RT_API int32_t tw_rt_plugin_report(tw_rt_context *context, tw_writer out);

/*--- Devices ----------------------------------------------------------------*/

/* Number of devices that `target`'s vendor has here. */
TW_RT_API int32_t tw_rt_device_count(tw_rt_context *context, tw_str target,
                                     uint32_t *count);
/* Opens the device of a target such as "cpu", "nvidia@1" or
   "cpu:x86-64-v4" (the architecture does not matter here). */
TW_RT_API int32_t tw_rt_device_open(tw_rt_context *context, tw_str target,
                                    tw_rt_device **device);
TW_RT_API void tw_rt_device_release(tw_rt_device *device);
TW_RT_API int32_t tw_rt_device_name(tw_rt_device *device, tw_writer out);

/* A capability id of plugin.h (TW_CAP_*). `answer` gets 0 unknown, 1 no, 2 yes;
   `value` and `text` may be NULL. */
TW_RT_API int32_t tw_rt_device_capability(tw_rt_device *device, uint32_t id,
                                          uint32_t *answer, int64_t *value,
                                          tw_str *text);

/*--- Streams and events -----------------------------------------------------*/

TW_RT_API int32_t tw_rt_stream_create(tw_rt_device *device,
                                      tw_rt_stream **stream);
/* Uses a stream of the vendor's own runtime, e.g. a CUstream. */
TW_RT_API int32_t tw_rt_stream_wrap(tw_rt_device *device, uint64_t native,
                                    tw_rt_stream **stream);
TW_RT_API void tw_rt_stream_release(tw_rt_stream *stream);
/* Waits, then reports the first error of device code since the last call
   (a failed device_assert, say) and clears it. */
TW_RT_API int32_t tw_rt_stream_synchronize(tw_rt_stream *stream);
TW_RT_API int32_t tw_rt_stream_wait(tw_rt_stream *stream, tw_rt_event *event);

TW_RT_API int32_t tw_rt_event_create(tw_rt_device *device, tw_rt_event **event);
TW_RT_API void tw_rt_event_release(tw_rt_event *event);
TW_RT_API int32_t tw_rt_event_record(tw_rt_event *event, tw_rt_stream *stream);
TW_RT_API int32_t tw_rt_event_synchronize(tw_rt_event *event);
/* Nanoseconds between two recorded events, after waiting for both. */
TW_RT_API int32_t tw_rt_event_elapsed(tw_rt_event *start, tw_rt_event *end,
                                      uint64_t *nanoseconds);

/*--- Buffers ----------------------------------------------------------------*/

/* Device memory, 64-byte aligned, not initialised. 0 bytes are legal. */
TW_RT_API int32_t tw_rt_buffer_create(tw_rt_device *device, uint64_t bytes,
                                      tw_rt_buffer **buffer);
/* Makes host memory usable by kernels in place; it must outlive the buffer. */
TW_RT_API int32_t tw_rt_buffer_wrap(tw_rt_device *device, void *host,
                                    uint64_t bytes, tw_rt_buffer **buffer);
TW_RT_API void tw_rt_buffer_release(tw_rt_buffer *buffer);
TW_RT_API uint64_t tw_rt_buffer_address(const tw_rt_buffer *buffer);
TW_RT_API uint64_t tw_rt_buffer_bytes(const tw_rt_buffer *buffer);
/* Ordered on the stream; ranges are checked. The host memory must stay valid
   until the stream has been synchronised. */
TW_RT_API int32_t tw_rt_buffer_write(tw_rt_stream *stream, tw_rt_buffer *buffer,
                                     uint64_t offset, const void *host,
                                     uint64_t bytes);
TW_RT_API int32_t tw_rt_buffer_read(tw_rt_stream *stream,
                                    const tw_rt_buffer *buffer, uint64_t offset,
                                    void *host, uint64_t bytes);
TW_RT_API int32_t tw_rt_buffer_copy(tw_rt_stream *stream, tw_rt_buffer *to,
                                    uint64_t to_offset,
                                    const tw_rt_buffer *from,
                                    uint64_t from_offset, uint64_t bytes);
/* Repeats the low `pattern_bytes` (1, 2, 4, 8) bytes of `pattern`. */
TW_RT_API int32_t tw_rt_buffer_fill(tw_rt_stream *stream, tw_rt_buffer *buffer,
                                    uint64_t offset, uint64_t bytes,
                                    uint64_t pattern, uint32_t pattern_bytes);

/*--- Artifacts and kernels --------------------------------------------------*/

/* Reads, checks and loads a .twa file or its bytes (copied). */
TW_RT_API int32_t tw_rt_artifact_load(tw_rt_device *device, tw_bytes bytes,
                                      tw_rt_artifact **artifact);
TW_RT_API int32_t tw_rt_artifact_load_file(tw_rt_device *device, tw_str path,
                                           tw_rt_artifact **artifact);
TW_RT_API void tw_rt_artifact_release(tw_rt_artifact *artifact);
/* The manifest, as JSON (docs/formats.md). */
TW_RT_API int32_t tw_rt_artifact_manifest(tw_rt_artifact *artifact,
                                          tw_writer out);

/* Finds a kernel and prepares all its variants; an empty name takes the only
   kernel of the artifact. */
TW_RT_API int32_t tw_rt_kernel_find(tw_rt_artifact *artifact, tw_str name,
                                    tw_rt_kernel **kernel);
TW_RT_API void tw_rt_kernel_release(tw_rt_kernel *kernel);

/* One run-time argument, in launch order. */
typedef struct tw_rt_argument {
  uint32_t size;
  uint32_t flags;
  tw_str name;      /* lives as long as the kernel */
  uint32_t dtype;   /* TW_DTYPE_*; of a pointer: the pointee's */
  uint32_t pointer; /* 1 for a pointer */
  uint32_t offset;  /* in the packed block */
  uint32_t bytes;   /* in the packed block */
} tw_rt_argument;

TW_RT_API uint32_t tw_rt_kernel_argument_count(const tw_rt_kernel *kernel);
TW_RT_API int32_t tw_rt_kernel_argument(const tw_rt_kernel *kernel,
                                        uint32_t index,
                                        tw_rt_argument *argument);
/* Bytes of the packed argument block. */
TW_RT_API uint32_t tw_rt_kernel_block_bytes(const tw_rt_kernel *kernel);

/*--- Launch -----------------------------------------------------------------*/

#define TW_RT_VALUE_INT 1u     /* `integer`, for any integer or i1 argument */
#define TW_RT_VALUE_FLOAT 2u   /* `number`, rounded to the argument's type */
#define TW_RT_VALUE_BUFFER 3u  /* `buffer` plus `integer` bytes */
#define TW_RT_VALUE_ADDRESS 4u /* `address`, of `bytes` bytes (0: unknown) */
#define TW_RT_VALUE_UINT 5u    /* `address` as an unsigned 64-bit integer */

typedef struct tw_rt_value {
  uint32_t kind; /* TW_RT_VALUE_* */
  uint32_t reserved;
  int64_t integer;
  double number;
  const tw_rt_buffer *buffer;
  uint64_t address;
  uint64_t bytes;
} tw_rt_value;

/* Number of programs an axis, 0 .. 2^31-1; a zero makes the launch a no-op. */
typedef struct tw_rt_grid {
  int64_t x;
  int64_t y;
  int64_t z;
} tw_rt_grid;

/* Checks number, kinds and ranges of the values, packs them, checks the facts
   that the code relies on, takes the first variant that is allowed, launches
   asynchronously. */
TW_RT_API int32_t tw_rt_launch(tw_rt_stream *stream, tw_rt_kernel *kernel,
                               const tw_rt_grid *grid,
                               const tw_rt_value *values, uint64_t count);
struct tw_extension;
/* The same with extensions of the plugin's `launch` (extensions.h), such as a
   trace. They live until the launch has ended. */
TW_RT_API int32_t tw_rt_launch_extended(tw_rt_stream *stream,
                                        tw_rt_kernel *kernel,
                                        const tw_rt_grid *grid,
                                        const tw_rt_value *values,
                                        uint64_t count,
                                        const struct tw_extension *extensions);
/* As tw_rt_launch, for a block that is packed already: every argument at its
   offset. Disjointness is known for memory inside one of the device's buffers.
 */
TW_RT_API int32_t tw_rt_launch_packed(tw_rt_stream *stream,
                                      tw_rt_kernel *kernel,
                                      const tw_rt_grid *grid, const void *block,
                                      uint64_t bytes);

/* A launch made ready: values packed, facts checked, variant chosen. The same
   grid and values are launched again and again on any stream of the kernel's
   device; memory behind the values must live until the last launch has ended. A
   call keeps its kernel and may be launched from several threads at once. */
typedef struct tw_rt_call tw_rt_call;
TW_RT_API int32_t tw_rt_call_create(tw_rt_kernel *kernel,
                                    const tw_rt_grid *grid,
                                    const tw_rt_value *values, uint64_t count,
                                    tw_rt_call **call);
TW_RT_API int32_t tw_rt_call_launch(tw_rt_stream *stream,
                                    const tw_rt_call *call);
TW_RT_API void tw_rt_call_release(tw_rt_call *call);

/*--- Bundles ----------------------------------------------------------------*/

/* A .twb file (docs/formats.md) on a device: kernels with variants for several
   targets and kinds of arguments. */
typedef struct tw_rt_bundle tw_rt_bundle;
/* One kernel of a bundle; lives on without the bundle. */
typedef struct tw_rt_dispatch tw_rt_dispatch;

/* Loads what fits the device; TW6062 where nothing does. */
TW_RT_API int32_t tw_rt_bundle_load(tw_rt_device *device, tw_bytes bytes,
                                    tw_rt_bundle **bundle);
TW_RT_API int32_t tw_rt_bundle_load_file(tw_rt_device *device, tw_str path,
                                         tw_rt_bundle **bundle);
TW_RT_API void tw_rt_bundle_release(tw_rt_bundle *bundle);
/* The manifest, as JSON. */
TW_RT_API int32_t tw_rt_bundle_manifest(tw_rt_bundle *bundle, tw_writer out);
/* The bytes of a file, from the JSON of a manifest and the artifacts that its
   variants number. */
TW_RT_API int32_t tw_rt_bundle_pack(tw_str manifest, const tw_bytes *artifacts,
                                    uint64_t count, tw_writer out);

/* Prepares the variants of a kernel; an empty name takes the only kernel. */
TW_RT_API int32_t tw_rt_bundle_find(tw_rt_bundle *bundle, tw_str name,
                                    tw_rt_dispatch **dispatch);
TW_RT_API void tw_rt_dispatch_release(tw_rt_dispatch *dispatch);
/* A kernel with the arguments that all variants take. */
TW_RT_API const tw_rt_kernel *
tw_rt_dispatch_kernel(const tw_rt_dispatch *dispatch);
/* As tw_rt_launch, with the first variant whose condition and facts hold, over
   its own grid. `chosen` (may be NULL) gets the variant's number among those of
   this device. TW6063 where none holds. */
TW_RT_API int32_t tw_rt_dispatch_launch(tw_rt_stream *stream,
                                        const tw_rt_dispatch *dispatch,
                                        const tw_rt_value *values,
                                        uint64_t count, uint32_t *chosen);

/*--- Library ----------------------------------------------------------------*/

/* Version of this library, as TW_ABI_VERSION of plugin.h. */
TW_RT_API uint32_t tw_rt_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_RUNTIME_H */
