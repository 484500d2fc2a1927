"""`triton.knobs`: settings. Reading one gives Triton's default; changing what Tilewright cannot follow is refused."""

from tilewright.triton.absent import text_for

_HOOK = "a hook of the kernel: `kernel.add_pre_run_hook`, or `JITFunction.run` replaced"
#: What to use in place of some of the settings.
_INSTEAD = {
    "interpret": "`tilewright.jit(interpret=True)` or the launch option `target=\"reference\"`", "debug": "`triton.jit(debug=True)`",
    "dump_ir": "`asm` of the compiled kernel", "launch_enter_hook": _HOOK, "launch_exit_hook": _HOOK,
    "default_fp_fusion": "the launch option `enable_fp_fusion`", "enable_asan": "the launch option `check=\"bounds\"` with `target=\"reference\"`"
}


class _Knobs:
    """A group of settings; those in `ignored` may be changed without effect."""

    def __init__(self, name, ignored=(), **values):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_ignored", frozenset(ignored))
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def __setattr__(self, key, value):
        if not hasattr(self, key):
            raise AttributeError(f"triton.knobs.{self._name} has no setting '{key}'")
        if key not in self._ignored and value != getattr(self, key):
            raise NotImplementedError(text_for(f"triton.knobs.{self._name}.{key} = {value!r}", _INSTEAD.get(key, "launch options of the kernel")))
        object.__setattr__(self, key, value)


autotuning = _Knobs("autotuning", {"print", "cache"}, print=False, cache=False)
cache = _Knobs("cache", {"dir", "home_dir", "dump_dir", "override_dir"}, dir=None, home_dir=None, dump_dir=None,
               override_dir=None)
compilation = _Knobs("compilation", {"always_compile", "listener"}, always_compile=False, override=False, dump_ir=False,
                     store_binary_only=False, allow_non_constexpr_globals=False, front_end_debugging=False,
                     disable_line_info=False, enable_asan=False, instrumentation_mode="", listener=None)
language = _Knobs("language", fp32_default=None, default_fp_fusion=True)
runtime = _Knobs("runtime", {"override_arch"}, interpret=False, debug=False, override_arch=None,
                 launch_enter_hook=None, launch_exit_hook=None, jit_cache_hook=None, jit_post_compile_hook=None,
                 kernel_load_start_hook=None, kernel_load_end_hook=None, add_stages_inspection_hook=None)
nvidia = _Knobs("nvidia")
amd = _Knobs("amd", use_buffer_ops=False, use_block_pingpong=False, use_async_copy=False, scalarize_packed_fops=False)
