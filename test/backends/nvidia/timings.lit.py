# `--timings` shows the target's own stages behind the stage of the host that holds them.
# RUN: tilewright compile %s --sig "x:*i32" --target nvidia:sm_80 --opt assembler=none --timings -o %t.twa 2>&1 | FileCheck %s
# RUN: tilewright compile %s --sig "x:*i32" --target nvidia:sm_80 --opt assembler=none --timings=json -o %t.twa 2>&1 | FileCheck %s --check-prefix=JSON
# RUN: tilewright compile %s --sig "x:*i32" --target cpu --timings -o %t.twa 2>&1 | FileCheck %s
import tilewright as tw
import tilewright.language as tl


# CHECK: {{^ *[0-9.]+}} ms  parse
# CHECK: {{^ *[0-9.]+}} ms  backend
# CHECK: {{^   *[0-9.]+}} ms  parse
# CHECK: {{^   *[0-9.]+}} ms  codegen
# CHECK: {{^ *[0-9.]+}} ms  wrap
# CHECK-NEXT: {{^ *[0-9.]+}} ms  total

# JSON: "backend":{{.*}}"codegen":{{.*}}"milliseconds":{{.*}}"backend":
@tw.jit
def one(x):
    tl.store(x, 1)
