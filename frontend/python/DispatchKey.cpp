//===- DispatchKey.cpp - Arguments to key and values ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each argument adds words that begin with a tag, so that no two rows of
// arguments with different signatures give the same words.
//===----------------------------------------------------------------------===//
#include "frontend/python/Dispatcher.h"

#include <cstring>

namespace tilewright::python {

namespace {
/// The low byte of the first word of an argument.
enum Tag : uint64_t {
  TagNone = 1,
  TagTrue,
  TagFalse,
  TagInteger, // a constant: the value follows
  TagFloat,   // a constant: the bits follow
  TagText,    // a constant: size above the tag, then the bytes
  TagTuple,   // a constant: size above the tag, then the elements
  TagObject,  // a constant: the address follows
  TagArray,   // facts above the tag
  TagFlag,    // a run-time bool
  TagOne,     // a run-time integer that is folded away
  TagNumber,  // a run-time integer, facts above the tag
  TagReal,    // a run-time float
  TagOption,  // name and value follow
};

/// Arrays of a call, for the facts that hold between them.
struct ArrayRow {
  ArrayView views[maxArrays];
  size_t words[maxArrays]; ///< where each one's word stands
  size_t count = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool Dispatcher::isIdentity(PyObject *value) const {
  for (PyTypeObject *type : identityTypes)
    if (Py_TYPE(value) == type)
      return true;
  return false;
}

/// An exact int of at most 64 bits with sign.
static bool readInteger(PyObject *value, int64_t &number) {
  int overflow = 0;
  number = PyLong_AsLongLongAndOverflow(value, &overflow);
  return overflow == 0;
}

static bool addText(Request &request, PyObject *value) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(value, &size);
  if (!text) {
    PyErr_Clear();
    return false;
  }
  if (!request.add(TagText | static_cast<uint64_t>(size) << 8))
    return false;
  for (Py_ssize_t at = 0; at < size; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text + at, size_t(std::min<Py_ssize_t>(8, size - at)));
    if (!request.add(word))
      return false;
  }
  return true;
}

bool Dispatcher::encodeConstant(Request &request, PyObject *value,
                                int depth) const {
  if (value == Py_None)
    return request.add(TagNone);
  if (value == Py_True || value == Py_False)
    return request.add(value == Py_True ? TagTrue : TagFalse);
  if (PyLong_CheckExact(value)) {
    int64_t number = 0;
    return readInteger(value, number) && request.add(TagInteger) &&
           request.add(static_cast<uint64_t>(number));
  }
  if (PyFloat_CheckExact(value)) {
    double number = PyFloat_AS_DOUBLE(value);
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return request.add(TagFloat) && request.add(bits);
  }
  if (PyUnicode_CheckExact(value))
    return addText(request, value);
  if (PyTuple_CheckExact(value) && depth < 4) {
    Py_ssize_t size = PyTuple_GET_SIZE(value);
    bool isGood = request.add(TagTuple | static_cast<uint64_t>(size) << 8);
    for (Py_ssize_t i = 0; isGood && i < size; ++i)
      isGood = encodeConstant(request, PyTuple_GET_ITEM(value, i), depth + 1);
    return isGood;
  }
  if (!isIdentity(value) || request.keptCount == maxParameters)
    return false;
  request.kept[request.keptCount++] = value;
  return request.add(TagObject) &&
         request.add(reinterpret_cast<uint64_t>(value));
}

//===----------------------------------------------------------------------===//
// Run-time values
//===----------------------------------------------------------------------===//

static tw_rt_value *nextValue(Request &request, uint32_t kind) {
  if (request.valueCount == maxValues)
    return nullptr;
  tw_rt_value *value = &request.values[request.valueCount++];
  *value = tw_rt_value{};
  value->kind = kind;
  return value;
}

static bool addInteger(Request &request, int64_t number, uint64_t word) {
  tw_rt_value *value = nextValue(request, TW_RT_VALUE_INT);
  if (!value)
    return false;
  value->integer = number;
  return request.add(word);
}

static bool addReal(Request &request, double number, uint64_t word) {
  tw_rt_value *value = nextValue(request, TW_RT_VALUE_FLOAT);
  if (!value)
    return false;
  value->number = number;
  return request.add(word);
}

/// specialize._integer: the type and the facts are what the word says.
static bool encodeInteger(Request &request, const Parameter &parameter,
                          PyObject *argument) {
  int64_t number = 0;
  if (!readInteger(argument, number))
    return false;
  if (parameter.fixed == Parameter::Float)
    return addReal(request, static_cast<double>(number), TagNumber);
  uint64_t isMultiple = parameter.specialize && (number & 15) == 0;
  if (parameter.fixed == Parameter::Integer)
    return addInteger(request, number, TagNumber | isMultiple << 8);
  if (number == 1 && parameter.specialize)
    return request.add(TagOne);
  uint64_t isWide = number < INT32_MIN || number > INT32_MAX;
  return addInteger(request, number, TagNumber | isMultiple << 8 | isWide << 9);
}

static bool encodeArray(Request &request, PyObject *argument, ArrayRow &row) {
  if (row.count == maxArrays)
    return false;
  ArrayView &view = row.views[row.count];
  view = ArrayView();
  tw_rt_value *value = nextValue(request, TW_RT_VALUE_ADDRESS);
  if (!value || !readArray(argument, view))
    return false;
  row.words[row.count++] = request.wordCount;
  value->address = view.address;
  value->bytes = view.high - view.address;
  if (request.deviceType < 0) {
    request.deviceType = view.deviceType;
    request.deviceIndex = view.deviceIndex;
  }
  return request.add(TagArray);
}

static bool encodeValue(Request &request, const Parameter &parameter,
                        PyObject *argument, ArrayRow &row) {
  if (argument == Py_None)
    return request.add(TagNone);
  if (PyLong_CheckExact(argument))
    return encodeInteger(request, parameter, argument);
  if (argument == Py_True || argument == Py_False)
    return addInteger(request, argument == Py_True, TagFlag);
  if (PyFloat_CheckExact(argument))
    return addReal(request, PyFloat_AS_DOUBLE(argument), TagReal);
  return encodeArray(request, argument, row);
}

/// specialize.disjoint_arrays: whether an array overlaps no other.
static bool isDisjoint(const ArrayRow &row, size_t number) {
  const ArrayView &mine = row.views[number];
  if (mine.low == mine.high)
    return false;
  for (size_t i = 0; i < row.count; ++i) {
    const ArrayView &other = row.views[i];
    if (i != number && other.low < other.high && mine.low < other.high &&
        other.low < mine.high)
      return false;
  }
  return true;
}

static void finishArrays(Request &request, const ArrayRow &row) {
  for (size_t i = 0; i < row.count; ++i) {
    const ArrayView &view = row.views[i];
    uint64_t facts = view.address % 16 == 0;
    facts |= uint64_t(isDisjoint(row, i)) << 1;
    facts |= uint64_t(view.isWritable) << 2;
    facts |= uint64_t(view.dtype & 0xffff) << 8;
    facts |= uint64_t(view.deviceType & 0xff) << 24;
    facts |= uint64_t(view.deviceIndex & 0xff) << 32;
    request.words[row.words[i]] = TagArray | facts << 8;
  }
}

/// Autotuner.key_of: values of the key's arguments, element types of arrays.
/// What else an argument is decides nothing here, but where its word stands.
bool Dispatcher::encodeChoice(Request &request) const {
  for (size_t i = 0; i < parameters.size(); ++i) {
    PyObject *argument = request.arguments[i];
    if (parameters[i].isChosen)
      continue;
    if (parameters[i].isKey && !encodeConstant(request, argument, 0))
      return false;
    if (argument == Py_None || PyBool_Check(argument) ||
        PyLong_CheckExact(argument) || PyFloat_CheckExact(argument) ||
        PyUnicode_CheckExact(argument)) {
      if (!request.add(TagNone))
        return false;
      continue;
    }
    uint32_t dtype = 0;
    if (parameters[i].isConstant
            ? !encodeConstant(request, argument, 0)
            : !readDtype(argument, dtype) ||
                  !request.add(TagArray | uint64_t(dtype) << 8))
      return false;
  }
  return true;
}

bool Dispatcher::encode(Request &request) const {
  if (target.is_valid())
    return encodeChoice(request);
  ArrayRow row;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter &parameter = parameters[i];
    PyObject *argument = request.arguments[i];
    if (parameter.isChosen)
      continue;
    if (parameter.isKey && !parameter.isConstant &&
        !encodeConstant(request, argument, 0))
      return false;
    if (parameter.isConstant ? !encodeConstant(request, argument, 0)
                             : !encodeValue(request, parameter, argument, row))
      return false;
  }
  finishArrays(request, row);
  return true;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static bool isName(PyObject *name, PyObject *wanted) {
  return name == wanted || PyUnicode_Compare(name, wanted) == 0;
}

/// Arguments in parameter order, then options in the order given; false for
/// calls that Python has to look at, wrong ones among them.
bool Dispatcher::bind(Request &request, PyObject *const *args, size_t count,
                      PyObject *names) const {
  const size_t size = parameters.size();
  if (count > positional)
    return false;
  for (size_t i = 0; i < size; ++i)
    request.arguments[i] = i < count ? args[i] : nullptr;
  Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject *name = PyTuple_GET_ITEM(names, k);
    PyObject *value = args[count + size_t(k)];
    size_t at = count;
    while (at < size && name != parameters[at].name)
      ++at;
    // An interned name is an option, or a mistake; others may be equal.
    if (at == size && !PyUnicode_CHECK_INTERNED(name))
      for (at = 0; at < size && !isName(name, parameters[at].name);)
        ++at;
    if (at < size) {
      if (request.arguments[at] || parameters[at].isChosen)
        return false;
      request.arguments[at] = value;
      continue;
    }
    if (!request.add(TagOption) || !addText(request, name) ||
        !encodeConstant(request, value, 0))
      return false;
  }
  for (size_t i = 0; i < size; ++i) {
    if (parameters[i].isChosen) {
      if (request.arguments[i])
        return false;
    } else if (!request.arguments[i] &&
               !(request.arguments[i] = parameters[i].fallback)) {
      return false;
    }
  }
  return true;
}

} // namespace tilewright::python
