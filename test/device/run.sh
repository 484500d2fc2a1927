#!/usr/bin/env bash
# Unpacks what pack.py packed, builds the Python extension for this machine's Python, and runs a command with
# everything in place (default: the language suite on the GPU).
#
#     bash test/device/run.sh PACKED_FOLDER [COMMAND...]
set -euo pipefail
packed=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
shift
work=${TMPDIR:-/tmp}/tilewright-device
mkdir -p "$work/lib"
unpack() { LD_LIBRARY_PATH=$packed/zstd "$packed/zstd/zstd" -d --long=27 -q -c "$1" | tar -C "$2" -xf -; }
[ -e "$work/lib/libtilewright_llvm.so.0" ] || unpack "$packed/llvm.tar.zst" "$work/lib"
unpack "$packed/stack.tar.zst" "$work"
for folder in docs frontend plugins runtime test; do ln -sfn "$root/$folder" "$work/$folder"; done
cd "$work"
export LD_LIBRARY_PATH=$work/build/lib:$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# The extension: nanobind and our few files, for the Python that is here. A library made earlier may be packed.
package=$work/build/python/tilewright
mkdir -p "$package"
cp -r frontend/python/tilewright/. "$package/"
suffix=$(python3 -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
sum=$(cat frontend/python/*.cpp frontend/python/*.h build/lib/libtilewright_compiler.so.0 | sha256sum | cut -c1-16)
extension=$packed/_native-$sum$suffix
if [ -e "$extension" ]; then
  cp "$extension" "$package/_native$suffix"
else
  include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
  flags=(-std=c++17 -O2 -fPIC -fvisibility=hidden -DNDEBUG -I. -Iplugins/include -Iruntime/include -Ifrontend/driver/include
         -I"$include" -Inanobind/include -Inanobind/ext/robin_map/include)
  c++ "${flags[@]}" -fno-strict-aliasing -c nanobind/src/nb_combined.cpp -o nanobind.o &
  objects=()
  for source in frontend/python/*.cpp; do
    objects+=("$(basename "$source" .cpp).o")
    c++ "${flags[@]}" -c "$source" -o "${objects[-1]}" &
  done
  wait
  c++ -shared -s "${objects[@]}" nanobind.o -Lbuild/lib -l:libtilewright_compiler.so.0 -l:libtilewright_runtime.so.0 \
    -Wl,--allow-shlib-undefined -o "$package/_native$suffix"
  if [ -n "${OUT:-}" ]; then cp "$package/_native$suffix" "$OUT/_native-$sum$suffix"; fi
fi
mkdir -p "$package/lib"
cp -a build/lib/. "$package/lib/"
export PYTHONPATH=$work/build/python${PYTHONPATH:+:$PYTHONPATH}
if [ $# -gt 0 ]; then exec "$@"; fi
exec python3 -m pytest test/language --build build --target nvidia -q -n 12 -p no:cacheprovider
