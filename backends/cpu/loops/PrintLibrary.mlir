// Appends text to a line; each function gives the new end. Included by
// Services.cpp as a string and added to modules that print.
func.func private @tw.append_text(%end: !llvm.ptr, %text: !llvm.ptr, %bytes: i64) -> !llvm.ptr {
  "llvm.intr.memcpy"(%end, %text, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %next = llvm.getelementptr %end[%bytes] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return %next : !llvm.ptr
}

// Digits of an unsigned number to a base, at least `width` of them.
func.func private @tw.append_digits(%end: !llvm.ptr, %value: i64, %base: i64, %width: i64) -> !llvm.ptr {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %zero = arith.constant 48 : i64
  %letters = arith.constant 39 : i64
  %count = scf.while (%rest = %value, %n = %c0) : (i64, i64) -> i64 {
    %quotient = arith.divui %rest, %base : i64
    %more = arith.addi %n, %c1 : i64
    %has_rest = arith.cmpi ne, %quotient, %c0 : i64
    %is_short = arith.cmpi slt, %more, %width : i64
    %continues = arith.ori %has_rest, %is_short : i1
    scf.condition(%continues) %more : i64
  } do {
  ^bb0(%n: i64):
    %power = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c1) -> i64 : i64 {
      %q = arith.muli %p, %base : i64
      scf.yield %q : i64
    }
    %rest = arith.divui %value, %power : i64
    scf.yield %rest, %n : i64, i64
  }
  %last = llvm.getelementptr %end[%count] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %done = scf.for %i = %c0 to %count step %c1 iter_args(%rest = %value) -> i64 : i64 {
    %quotient = arith.divui %rest, %base : i64
    %whole = arith.muli %quotient, %base : i64
    %digit = arith.subi %rest, %whole : i64
    %is_letter = arith.cmpi ugt, %digit, %c9 : i64
    %shift = arith.select %is_letter, %letters, %c0 : i64
    %code = arith.addi %digit, %zero : i64
    %character = arith.addi %code, %shift : i64
    %byte = arith.trunci %character : i64 to i8
    %below = arith.subi %count, %i : i64
    %place = arith.subi %below, %c1 : i64
    %address = llvm.getelementptr %end[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %byte, %address : i8, !llvm.ptr
    scf.yield %quotient : i64
  }
  return %last : !llvm.ptr
}

func.func private @tw.append_sign(%end: !llvm.ptr, %is_negative: i1) -> !llvm.ptr {
  %minus = arith.constant 45 : i8
  llvm.store %minus, %end : i8, !llvm.ptr
  %step = arith.extui %is_negative : i1 to i64
  %next = llvm.getelementptr %end[%step] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return %next : !llvm.ptr
}

func.func private @tw.append_signed(%end: !llvm.ptr, %value: i64) -> !llvm.ptr {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %is_negative = arith.cmpi slt, %value, %c0 : i64
  %negated = arith.subi %c0, %value : i64
  %size = arith.select %is_negative, %negated, %value : i64
  %start = call @tw.append_sign(%end, %is_negative) : (!llvm.ptr, i1) -> !llvm.ptr
  %next = call @tw.append_digits(%start, %size, %c10, %c1) : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr
  return %next : !llvm.ptr
}

// Like C's %f up to 1e15, like %e above.
func.func private @tw.append_float(%end: !llvm.ptr, %value: f64) -> !llvm.ptr {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c6 = arith.constant 6 : i64
  %c10 = arith.constant 10 : i64
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %ten = arith.constant 10.0 : f64
  %million = arith.constant 1.0e6 : f64
  %million_int = arith.constant 1000000 : i64
  %limit = arith.constant 1.0e15 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %bits = arith.bitcast %value : f64 to i64
  %is_negative = arith.cmpi slt, %bits, %c0 : i64
  %size = math.absf %value : f64
  %start = func.call @tw.append_sign(%end, %is_negative) : (!llvm.ptr, i1) -> !llvm.ptr
  %is_finite = arith.cmpf olt, %size, %infinity : f64
  %next = scf.if %is_finite -> !llvm.ptr {
    %is_large = arith.cmpf oge, %size, %limit : f64
    %scaled:2 = scf.while (%x = %size, %e = %c0) : (f64, i64) -> (f64, i64) {
      %is_above = arith.cmpf oge, %x, %ten : f64
      %continues = arith.andi %is_above, %is_large : i1
      scf.condition(%continues) %x, %e : f64, i64
    } do {
    ^bb0(%x: f64, %e: i64):
      %smaller = arith.divf %x, %ten : f64
      %more = arith.addi %e, %c1 : i64
      scf.yield %smaller, %more : f64, i64
    }
    %floor = arith.fptoui %scaled#0 : f64 to i64
    %floor_float = arith.uitofp %floor : i64 to f64
    %fraction = arith.subf %scaled#0, %floor_float : f64
    %millionths = arith.mulf %fraction, %million : f64
    %rounded = arith.addf %millionths, %half : f64
    %digits = arith.fptoui %rounded : f64 to i64
    %carries = arith.cmpi uge, %digits, %million_int : i64
    %carry = arith.extui %carries : i1 to i64
    %whole = arith.addi %floor, %carry : i64
    %less = arith.muli %carry, %million_int : i64
    %decimals = arith.subi %digits, %less : i64
    %a = func.call @tw.append_digits(%start, %whole, %c10, %c1) : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr
    %point = arith.constant 46 : i8
    llvm.store %point, %a : i8, !llvm.ptr
    %b = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %c = func.call @tw.append_digits(%b, %decimals, %c10, %c6) : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr
    %d = scf.if %is_large -> !llvm.ptr {
      %mark = arith.constant 0x2B65 : i16
      llvm.store %mark, %c {alignment = 1 : i64} : i16, !llvm.ptr
      %after = llvm.getelementptr %c[2] : (!llvm.ptr) -> !llvm.ptr, i8
      %exponent = func.call @tw.append_digits(%after, %scaled#1, %c10, %c2) : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr
      scf.yield %exponent : !llvm.ptr
    } else {
      scf.yield %c : !llvm.ptr
    }
    scf.yield %d : !llvm.ptr
  } else {
    %is_infinite = arith.cmpf oeq, %size, %infinity : f64
    %inf = arith.constant 0x666E69 : i32
    %nan = arith.constant 0x6E616E : i32
    %word = arith.select %is_infinite, %inf, %nan : i32
    llvm.store %word, %start {alignment = 1 : i64} : i32, !llvm.ptr
    %after = llvm.getelementptr %start[3] : (!llvm.ptr) -> !llvm.ptr, i8
    scf.yield %after : !llvm.ptr
  }
  return %next : !llvm.ptr
}
