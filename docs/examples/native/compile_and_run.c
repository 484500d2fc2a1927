/* Compiles a kernel from its source file for this machine's CPU and runs it:
 * compile_and_run add.py */
#include <stdio.h>
#include <stdlib.h>

#include "tilewright/compiler.h"
#include "tilewright/runtime.h"

enum { COUNT = 100000, BLOCK = 1024 };

static void append_to_stderr(void *ctx, const char *data, uint64_t size) {
  (void)ctx;
  fwrite(data, 1, (size_t)size, stderr);
}

/* Ends the program with the runtime's message unless the call went well. */
static void check(int32_t status) {
  tw_rt_error error = {sizeof error};
  if (status == TW_OK)
    return;
  tw_rt_last_error(&error);
  fprintf(stderr, "%.*s\n", (int)error.message.size, error.message.data);
  exit(1);
}

static char *read_file(const char *path, uint64_t *size) {
  FILE *file = fopen(path, "rb");
  char *text;
  long length;
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  length = ftell(file);
  rewind(file);
  text = malloc((size_t)length + 1);
  *size = fread(text, 1, (size_t)length, file);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  static float x[COUNT], y[COUNT], out[COUNT];
  tw_compiler_config config = {sizeof config};
  tw_compile_input input = {sizeof input};
  const tw_compile_result *result = NULL;
  tw_writer to_stderr = {NULL, append_to_stderr};
  tw_compiler *compiler;
  tw_rt_config runtime_config = {sizeof runtime_config};
  tw_rt_context *context;
  tw_rt_device *device;
  tw_rt_stream *stream;
  tw_rt_artifact *artifact;
  tw_rt_kernel *kernel;
  tw_rt_buffer *buffers[3];
  float *arrays[3] = {x, y, out};
  tw_rt_value values[4] = {{0}};
  tw_rt_grid grid = {(COUNT + BLOCK - 1) / BLOCK, 1, 1};
  int i;

  if (argc != 2) {
    fprintf(stderr, "usage: compile_and_run add.py\n");
    return 2;
  }
  input.source.data = read_file(argv[1], &input.source.size);
  input.file_name = tw_string(argv[1]);
  input.kernel = tw_string("add");
  input.signature =
      tw_string("x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024");
  input.target = tw_string("cpu");
  if (tw_compiler_create(&config, to_stderr, &compiler) != TW_OK)
    return 1;
  if (tw_compile(compiler, &input, &result) != TW_OK) {
    if (result)
      fwrite(result->rendered.data, 1, (size_t)result->rendered.size, stderr);
    return 1;
  }

  check(tw_rt_context_create(&runtime_config, &context));
  check(tw_rt_device_open(context, tw_string("cpu"), &device));
  check(tw_rt_stream_create(device, &stream));
  check(tw_rt_artifact_load(device, result->artifact, &artifact));
  check(tw_rt_kernel_find(artifact, tw_string("add"), &kernel));
  for (i = 0; i < COUNT; ++i) {
    x[i] = (float)i;
    y[i] = 2.0f * (float)i;
  }
  for (i = 0; i < 3; ++i) {
    check(tw_rt_buffer_wrap(device, arrays[i], sizeof x, &buffers[i]));
    values[i].kind = TW_RT_VALUE_BUFFER;
    values[i].buffer = buffers[i];
  }
  values[3].kind = TW_RT_VALUE_INT;
  values[3].integer = COUNT;
  check(tw_rt_launch(stream, kernel, &grid, values, 4));
  check(tw_rt_stream_synchronize(stream));
  for (i = 0; i < COUNT; ++i)
    if (out[i] != x[i] + y[i]) {
      fprintf(stderr, "expected %g at %d, got %g\n", x[i] + y[i], i, out[i]);
      return 1;
    }
  printf("added %d numbers on %.*s\n", COUNT, (int)result->target.size,
         result->target.data);

  for (i = 0; i < 3; ++i)
    tw_rt_buffer_release(buffers[i]);
  tw_rt_kernel_release(kernel);
  tw_rt_artifact_release(artifact);
  tw_rt_stream_release(stream);
  tw_rt_device_release(device);
  tw_rt_context_release(context);
  tw_compile_result_release(result);
  tw_compiler_release(compiler);
  return 0;
}
