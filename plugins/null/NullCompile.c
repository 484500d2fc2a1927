/*===- NullCompile.c - The smallest complete plugin: COMPILE ------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Accepts any IR bytes and answers with a payload that holds the names of    */
/* the kernels. A real plugin parses the IR and generates code here.          */
/*===----------------------------------------------------------------------===*/
#include "NullPlugin.h"

static int32_t fingerprint(tw_backend *backend, tw_writer out) {
  static const char text[] = "null 0.1";
  (void)backend;
  out.write(out.ctx, text, sizeof text - 1);
  return TW_OK;
}

/* One architecture, "generic"; "null" alone means it. */
static int32_t resolveTarget(tw_backend *backend, tw_str target,
                             const tw_sink *sink, tw_writer out) {
  static const char resolved[] = "null:generic";
  (void)backend;
  if (!tw_str_equal(target, tw_string("null")) &&
      !tw_str_equal(target, tw_string(resolved))) {
    tw_emit(sink, TW_SEVERITY_ERROR, 4901,
            "expected null or null:generic as target",
            "the null plugin has one architecture");
    return TW_E_DIAGNOSED;
  }
  out.write(out.ctx, resolved, sizeof resolved - 1);
  return TW_OK;
}

void nullAnswer(tw_capability *caps, uint64_t count) {
  uint64_t i;
  for (i = 0; i < count; ++i) {
    tw_capability *cap = &caps[i];
    cap->value = 0;
    cap->text = tw_string(NULL);
    switch (cap->id) {
    case TW_CAP_ARCH:
      cap->answer = TW_ANSWER_YES;
      cap->text = tw_string("generic");
      break;
    case TW_CAP_FLAT_ADDRESSES:
      cap->answer = TW_ANSWER_YES;
      cap->value = 1;
      break;
    case TW_CAP_HINTS:
      cap->answer = TW_ANSWER_YES;
      cap->text = tw_string("unroll\nprefetch");
      break;
    case TW_CAP_TENSOR_MAP:
    case TW_CAP_ASYNC_COPY:
    case TW_CAP_GRAPH_CAPTURE:
      cap->answer = TW_ANSWER_NO;
      break;
    default:
      cap->answer = TW_ANSWER_UNKNOWN;
      break;
    }
  }
}

static int32_t getCaps(tw_backend *backend, tw_str target, tw_capability *caps,
                       uint64_t count) {
  (void)backend;
  (void)target;
  nullAnswer(caps, count);
  return TW_OK;
}

/* Everything that one response owns, in one piece of memory; the records and
   the payload text stand behind it. */
typedef struct NullArtifact {
  const tw_host_services *services;
  const tw_kernel_record **pointers;
  tw_kernel_record *records;
  char *payload;
} NullArtifact;

static void releaseArtifact(void *ctx) {
  const tw_host_services *services = ((NullArtifact *)ctx)->services;
  services->release(services->ctx, ctx);
}

static NullArtifact *createArtifact(tw_backend *backend, uint64_t kernels,
                                    uint64_t payloadBytes) {
  uint64_t pointerBytes = kernels * sizeof(tw_kernel_record *);
  uint64_t recordBytes = kernels * sizeof(tw_kernel_record);
  char *memory =
      (char *)nullAllocate(backend, sizeof(NullArtifact) + pointerBytes +
                                        recordBytes + payloadBytes);
  NullArtifact *artifact = (NullArtifact *)memory;
  if (!artifact)
    return NULL;
  artifact->services = backend->services;
  memory += sizeof *artifact;
  artifact->pointers = (const tw_kernel_record **)memory;
  memory += pointerBytes;
  artifact->records = (tw_kernel_record *)memory;
  memory += recordBytes;
  artifact->payload = memory;
  return artifact;
}

/* A kernel without parameters. The name goes into the payload, where the
   record can point at it. Returns the end of the name. */
static char *describeKernel(tw_kernel_record *record, tw_str name, char *text) {
  memcpy(text, name.data, (size_t)name.size);
  record->size = (uint32_t)sizeof *record;
  record->name.data = text;
  record->name.size = name.size;
  record->block_size[0] = record->block_size[1] = record->block_size[2] = 1;
  record->cluster_size[0] = record->cluster_size[1] = record->cluster_size[2] =
      1;
  text += name.size;
  *text++ = '\n';
  return text;
}

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  const tw_extension *extension;
  tw_compile_request request;
  tw_compile_response mine;
  NullArtifact *artifact;
  char *text;
  uint64_t i, bytes = 0;
  int32_t status = tw_read_struct(&request, (uint32_t)sizeof request, given);
  if (status)
    return status;
  for (extension = request.extensions; extension; extension = extension->next)
    if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  for (i = 0; i < request.option_count; ++i)
    if (request.options[i].flags & TW_OPTION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_OPTION;
  if (request.cancelled && request.cancelled(request.cancel_ctx))
    return TW_E_CANCELLED;
  for (i = 0; i < request.entry_count; ++i)
    bytes += request.entries[i].size + 1;
  artifact = createArtifact(backend, request.entry_count, bytes);
  if (!artifact)
    return TW_E_EXHAUSTED;
  text = artifact->payload;
  for (i = 0; i < request.entry_count; ++i) {
    artifact->pointers[i] = &artifact->records[i];
    text = describeKernel(&artifact->records[i], request.entries[i], text);
  }
  memset(&mine, 0, sizeof mine);
  mine.format = tw_string(NULL_PAYLOAD_FORMAT);
  mine.payload.data = artifact->payload;
  mine.payload.size = bytes;
  mine.kernels = artifact->pointers;
  mine.kernel_count = request.entry_count;
  mine.compat = tw_string(NULL_COMPAT);
  mine.release = releaseArtifact;
  mine.release_ctx = artifact;
  return tw_write_struct(response, (uint32_t)sizeof mine, &mine);
}

static int32_t listTargets(tw_backend *backend, tw_writer out) {
  (void)backend;
  out.write(out.ctx, "generic\n", 8);
  return TW_OK;
}

const tw_compile_table nullCompileTable = {
    sizeof(tw_compile_table),
    0,
    fingerprint,
    resolveTarget,
    getCaps,
    compile,
    NULL, /* can_compile: no opinion without trying */
    listTargets,
};
