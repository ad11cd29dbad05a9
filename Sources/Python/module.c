// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The C half of the Python package: columns of decant.h as PyCapsules of the Arrow interface.
//
//   _decant.parse_schema(text, name) -> Schema         _decant.split(buffer, count) -> [(offset, length, line)]
//   _decant.read(schema, source, ...) -> Stream, Stream
//   Stream.__arrow_c_stream__(), .__arrow_c_schema__(), .read_batch(), .close(), .failure
//
// A stream that a consumer gets is ours, around one of the library's:
//
//   consumer ── get_next ──► next_of_stream ── without the GIL ──► libdecant ── read_more ── with the GIL ──► pull()
//
// A consumer may hold the GIL when it asks for a batch, or not, and need not be a thread of Python's. The GIL is always
// released while the library works, so that the thread whose turn it is to read can take it: two consumers that hold
// the GIL cannot wait for one another.
//
// What is read from (struct input) belongs to the library's two streams, which release it after the last one. At the end
// of the process there may be no interpreter to release it to: then nothing of Python's is touched.
//
// Written against the stable ABI: one build serves all versions of Python from 3.11 on.

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <decant.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compressed.h"
#include "parallel.h"

static PyObject *decant_error_type;
static PyTypeObject *stream_type;

// ---------------------------------------------------------------------------------------------------
// Errors

static int set_attribute(PyObject *object, const char *name, PyObject *value) {
  if (value == NULL) return -1;
  const int status = PyObject_SetAttrString(object, name, value);
  Py_DECREF(value);
  return status;
}

// Raises a DecantError; returns NULL.
static PyObject *raise(const decant_error *error) {
  if (error->code == DECANT_OUT_OF_MEMORY) return PyErr_NoMemory();
  PyObject *text =
      PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message), "replace");
  PyObject *exception =
      text != NULL ? PyObject_CallFunctionObjArgs(decant_error_type, text, NULL) : NULL;
  Py_XDECREF(text);
  if (exception != NULL && set_attribute(exception, "code", PyLong_FromLong(error->code)) == 0 &&
      set_attribute(
          exception, "path",
          PyUnicode_DecodeUTF8(error->path, (Py_ssize_t)strlen(error->path), "replace")) == 0 &&
      set_attribute(exception, "line", PyLong_FromLongLong(error->line)) == 0 &&
      set_attribute(exception, "column", PyLong_FromLongLong(error->column)) == 0)
    PyErr_SetObject(decant_error_type, exception);
  Py_XDECREF(exception);
  return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Schemas: capsules

static const char schema_name[] = "decant_schema";

static void free_schema(PyObject *capsule) {
  decant_schema_free(PyCapsule_GetPointer(capsule, schema_name));
}

static PyObject *parse_schema(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *text, *name;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(arguments, "s#z:parse_schema", &text, &length, &name)) return NULL;
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.source_name = name;
  // What people write, and what infer() writes.
  options.relaxations = DECANT_RELAX_COMMENTS | DECANT_RELAX_TRAILING_COMMAS;
  decant_schema *schema;
  if (decant_schema_parse(text, (size_t)length, &options, &schema, &error) != DECANT_OK)
    return raise(&error);
  PyObject *capsule = PyCapsule_New(schema, schema_name, free_schema);
  if (capsule == NULL) decant_schema_free(schema);
  return capsule;
}

// The description of a schema, without comments.
static PyObject *describe(PyObject *module, PyObject *capsule) {
  (void)module;
  const decant_schema *schema = PyCapsule_GetPointer(capsule, schema_name);
  if (schema == NULL) return NULL;
  decant_error error = DECANT_ERROR_INIT;
  const decant_record *record = decant_schema_record(schema);
  size_t length;
  if (decant_record_describe(record, NULL, 0, &length, &error) != DECANT_OK) return raise(&error);
  char *text = malloc(length + 1);
  if (text == NULL) return PyErr_NoMemory();
  PyObject *result = NULL;
  if (decant_record_describe(record, text, length + 1, &length, &error) != DECANT_OK)
    raise(&error);
  else
    result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL);
  free(text);
  return result;
}

// ---------------------------------------------------------------------------------------------------
// The interpreter, for threads that may be another library's

// Whether this thread is one of Python's, with the GIL or without.
static bool is_python_thread(void) {
  return Py_IsInitialized() && PyGILState_GetThisThreadState() != NULL;
}

// Calls a function with the GIL, now or soon; not at all if there is no interpreter any more.
static void call_with_gil(int (*function)(void *), void *context) {
  if (!Py_IsInitialized()) return;
  // A thread that is not Python's must not wait for an interpreter that may end: the main thread does it.
  if (!is_python_thread() && Py_AddPendingCall(function, context) == 0) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  function(context);
  PyErr_Restore(type, value, trace);
  PyGILState_Release(state);
}

static int drop_object(void *object) {
  Py_DECREF((PyObject *)object);
  return 0;
}

// ---------------------------------------------------------------------------------------------------
// Inputs

// What is read from.
struct input {
  PyObject *schema;
  PyObject *pull;     // pull(n): a buffer of at most n bytes, empty at the end; or NULL
  Py_buffer view;     // the bytes; `obj` is NULL if there are none
  struct file *file;  // of a descriptor; or NULL
  PyObject *name;     // of the file, as errors say it; None if it has none; NULL without a file
};

// What two streams share, and the Python objects that stand for them.
struct reading {
  ptrdiff_t owners;  // the library's streams together, and each Stream
  struct input *input;
  PyObject *failure;  // what the input raised; guarded by the GIL
  char *words;        // the same as text; written before the library's stream fails
  bool is_interrupt;  // whether it is Ctrl-C; written before, too
  bool is_caught;     // whether `failure` is raised behind the consumer
};

static int drop_input(void *context) {
  struct input *input = context;
  Py_XDECREF(input->schema);
  Py_XDECREF(input->pull);
  Py_XDECREF(input->name);
  if (input->view.obj != NULL) PyBuffer_Release(&input->view);
  free(input);
  return 0;
}

static void release_reading(struct reading *reading) {
  if (__atomic_sub_fetch(&reading->owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  if (reading->failure != NULL) call_with_gil(drop_object, reading->failure);
  free(reading->words);
  free(reading);
}

// What the library calls after both of its streams.
static void release_input(void *context) {
  struct reading *reading = context;
  struct input *input = reading->input;
  reading->input = NULL;
  close_file(input->file);
  call_with_gil(drop_input, input);
  release_reading(reading);
}

// "EOFError: Compressed file ended before …"
static char *words_of(PyObject *exception) {
  PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(exception), "__name__");
  PyObject *text = name != NULL ? PyObject_Str(exception) : NULL;
  PyObject *all = text != NULL ? PyUnicode_FromFormat(
                                     PyUnicode_GetLength(text) > 0 ? "%U: %U" : "%U%U", name, text)
                               : NULL;
  PyObject *bytes = all != NULL ? PyUnicode_AsEncodedString(all, "utf-8", "replace") : NULL;
  char *words = bytes != NULL ? strdup(PyBytes_AsString(bytes)) : NULL;
  Py_XDECREF(bytes);
  Py_XDECREF(all);
  Py_XDECREF(text);
  Py_XDECREF(name);
  PyErr_Clear();
  return words;
}

// Keeps the exception that is raised, and returns what the library is told: the negative of a number of errno.h. With
// the GIL.
static ptrdiff_t keep_failure(struct reading *reading) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != NULL) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  const bool is_interrupt = PyErr_GivenExceptionMatches(value, PyExc_KeyboardInterrupt);
  if (reading->failure == NULL) {
    reading->words = words_of(value);
    reading->is_interrupt = is_interrupt;
    reading->failure = value;
  } else {
    Py_DECREF(value);
  }
  return is_interrupt ? -EINTR : -EIO;
}

// Python's function is asked for more.
static ptrdiff_t read_more(void *context, char *buffer, size_t capacity) {
  struct reading *reading = context;
  if (!Py_IsInitialized()) return -EIO;
  const PyGILState_STATE state = PyGILState_Ensure();
  ptrdiff_t count = -EIO;
  // What failed is not asked again.
  if (reading->failure == NULL) {
    Py_buffer view = {.obj = NULL};
    PyObject *chunk = PyObject_CallFunction(reading->input->pull, "n", (Py_ssize_t)capacity);
    if (chunk == NULL || PyObject_GetBuffer(chunk, &view, PyBUF_SIMPLE) != 0) {
      count = keep_failure(reading);
    } else if ((size_t)view.len > capacity) {
      PyErr_Format(PyExc_ValueError, "%zd bytes were read where %zu were asked for", view.len,
                   capacity);
      count = keep_failure(reading);
    } else {
      memcpy(buffer, view.buf, (size_t)view.len);
      count = view.len;
    }
    if (view.obj != NULL) PyBuffer_Release(&view);
    Py_XDECREF(chunk);
  }
  PyGILState_Release(state);
  return count;
}

// Raises an exception of a file: its words, behind the name of the file if that is not None.
static void raise_words(PyObject *type, PyObject *name, const char *words) {
  if (name != Py_None)
    PyErr_Format(type, "%U: %s", name, words);
  else
    PyErr_SetString(type, words);
}

// Raises what read_file() returned. With the GIL.
static void raise_of_file(const struct file *file, ptrdiff_t status, PyObject *name) {
  if (status == FILE_IS_CUT) {
    // As Python's own modules say it.
    raise_words(PyExc_EOFError, name,
                "Compressed file ended before the end-of-stream marker was reached");
  } else if (status == FILE_IS_DAMAGED) {
    PyObject *gzip = PyImport_ImportModule("gzip");
    PyObject *type = gzip != NULL ? PyObject_GetAttrString(gzip, "BadGzipFile") : NULL;
    PyObject *words = type != NULL ? PyUnicode_FromFormat("the compressed file cannot be read: %s",
                                                          words_of_file(file))
                                   : NULL;
    PyObject *bytes = words != NULL ? PyUnicode_AsUTF8String(words) : NULL;
    if (bytes != NULL) raise_words(type, name, PyBytes_AsString(bytes));
    Py_XDECREF(bytes);
    Py_XDECREF(words);
    Py_XDECREF(type);
    Py_XDECREF(gzip);
  } else if (status == -ENOMEM) {
    PyErr_NoMemory();
  } else {
    errno = (int)-status;
    PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name != Py_None ? name : NULL);
  }
}

// A file is read, without the GIL. A signal is Python's first.
static ptrdiff_t read_from_file(void *context, char *buffer, size_t capacity) {
  struct reading *reading = context;
  while (true) {
    const ptrdiff_t count = read_file(reading->input->file, buffer, capacity);
    if (count >= 0) return count;
    const bool is_of_system = count > FILE_IS_CUT;
    if (!Py_IsInitialized()) return is_of_system ? count : -EIO;
    if (count == -EINTR && !is_python_thread()) continue;
    const PyGILState_STATE state = PyGILState_Ensure();
    ptrdiff_t answer = 0;
    if (count != -EINTR) {
      raise_of_file(reading->input->file, count, reading->input->name);
      answer = keep_failure(reading);
      if (is_of_system) answer = count;
    } else if (PyErr_CheckSignals() != 0) {
      answer = keep_failure(reading);
    }
    PyGILState_Release(state);
    if (answer != 0) return answer;
  }
}

static const char file_name[] = "decant_file";

static void free_file(PyObject *capsule) { close_file(PyCapsule_GetPointer(capsule, file_name)); }

// A file of a copy of a descriptor. NULL after raising.
static struct file *file_of(int descriptor, int form) {
  const int own = dup(descriptor);
  struct file *file = own >= 0 ? open_file(own, form) : NULL;
  if (own < 0) PyErr_SetFromErrno(PyExc_OSError);
  if (own >= 0 && file == NULL) {
    close(own);
    PyErr_NoMemory();
  }
  return file;
}

static PyObject *make_file(PyObject *module, PyObject *arguments) {
  (void)module;
  int descriptor, form;
  if (!PyArg_ParseTuple(arguments, "ii:open_file", &descriptor, &form)) return NULL;
  struct file *file = file_of(descriptor, form);
  if (file == NULL) return NULL;
  PyObject *capsule = PyCapsule_New(file, file_name, free_file);
  if (capsule == NULL) close_file(file);
  return capsule;
}

static PyObject *bytes_of_file(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule, *name;
  Py_ssize_t most;
  if (!PyArg_ParseTuple(arguments, "OnO:read_file", &capsule, &most, &name)) return NULL;
  struct file *file = PyCapsule_GetPointer(capsule, file_name);
  if (file == NULL) return NULL;
  char *buffer = most > 0 ? malloc((size_t)most) : NULL;
  if (buffer == NULL) return PyErr_NoMemory();
  ptrdiff_t count;
  do {
    PyThreadState *thread = PyEval_SaveThread();
    count = read_file(file, buffer, (size_t)most);
    PyEval_RestoreThread(thread);
  } while (count == -EINTR && PyErr_CheckSignals() == 0);
  if (count < 0 && !PyErr_Occurred()) raise_of_file(file, count, name);
  PyObject *bytes = count >= 0 ? PyBytes_FromStringAndSize(buffer, count) : NULL;
  free(buffer);
  return bytes;
}

static PyObject *has_form(PyObject *module, PyObject *form) {
  (void)module;
  return PyBool_FromLong(can_decompress((int)PyLong_AsLong(form)));
}

// ---------------------------------------------------------------------------------------------------
// Streams as consumers get them

struct outer {
  struct ArrowArrayStream inner;
  struct reading *reading;
};

// Which reading this thread is asking for a batch, so that its input cannot ask for one, too, and wait for itself.
static __thread const struct reading *asked;

static int schema_of_stream(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  struct outer *outer = stream->private_data;
  return outer->inner.get_schema(&outer->inner, schema);
}

static int next_batch(struct outer *outer, struct ArrowArray *batch) {
  if (asked == outer->reading) return EDEADLK;
  const struct reading *before = asked;
  asked = outer->reading;
  const int number = outer->inner.get_next(&outer->inner, batch);
  asked = before;
  return number;
}

// Ctrl-C while a batch was read. With the GIL; true if it raised.
static bool is_interrupted(struct reading *reading) {
  if (PyErr_CheckSignals() == 0) return false;
  keep_failure(reading);
  return true;
}

static int next_of_stream(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
  struct outer *outer = stream->private_data;
  int number;
  if (!is_python_thread()) {
    number = next_batch(outer, batch);
  } else {
    const PyGILState_STATE state = PyGILState_Ensure();
    PyThreadState *thread = PyEval_SaveThread();
    number = next_batch(outer, batch);
    PyEval_RestoreThread(thread);
    if (is_interrupted(outer->reading) && number == 0) {
      if (batch->release != NULL) batch->release(batch);
      number = EINTR;
    }
    PyGILState_Release(state);
  }
  // The consumer raises an exception of its own. Ctrl-C comes out behind it, as it would have without the consumer.
  if (number == EINTR && outer->reading->is_interrupt && !outer->reading->is_caught)
    PyErr_SetInterrupt();
  return number;
}

static const char *words_of_stream(struct ArrowArrayStream *stream) {
  struct outer *outer = stream->private_data;
  if (outer->reading->words != NULL) return outer->reading->words;
  const char *words = outer->inner.get_last_error(&outer->inner);
  return words != NULL ? words : "the input asked for what is read from it";
}

static void release_stream(struct ArrowArrayStream *stream) {
  struct outer *outer = stream->private_data;
  stream->release = NULL;
  outer->inner.release(&outer->inner);
  release_reading(outer->reading);
  free(outer);
}

// ---------------------------------------------------------------------------------------------------
// Capsules: each owns its struct, and what is still in it

#define CAPSULE(type, word)                                      \
  static void free_##word(PyObject *capsule) {                   \
    struct type *content = PyCapsule_GetPointer(capsule, #word); \
    if (content->release != NULL) content->release(content);     \
    free(content);                                               \
  }                                                              \
  /* Takes the struct over, whether it succeeds or not. */       \
  static PyObject *capsule_of_##word(struct type *from) {        \
    struct type *content = malloc(sizeof *content);              \
    PyObject *capsule = NULL;                                    \
    if (content != NULL) {                                       \
      *content = *from;                                          \
      capsule = PyCapsule_New(content, #word, free_##word);      \
    } else {                                                     \
      PyErr_NoMemory();                                          \
    }                                                            \
    if (capsule == NULL) {                                       \
      from->release(from);                                       \
      free(content);                                             \
    }                                                            \
    from->release = NULL;                                        \
    return capsule;                                              \
  }

CAPSULE(ArrowArrayStream, arrow_array_stream)
CAPSULE(ArrowSchema, arrow_schema)
CAPSULE(ArrowArray, arrow_array)

// ---------------------------------------------------------------------------------------------------
// The type of streams in Python

typedef struct {
  PyObject_HEAD struct ArrowArrayStream stream;  // no `release`: it was handed out, or closed
  struct reading *reading;
  PyObject *schema;
  uint32_t columns;
  bool is_rows;
  bool is_handed_out;
} Stream;

static void free_stream(PyObject *object) {
  Stream *self = (Stream *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (self->stream.release != NULL) self->stream.release(&self->stream);
  if (self->reading != NULL) release_reading(self->reading);
  Py_XDECREF(self->schema);
  PyObject_Free(object);
  Py_DECREF(type);
}

// Whether the stream is still there; raises otherwise.
static bool is_open(const Stream *self) {
  if (self->stream.release != NULL) return true;
  PyErr_SetString(
      PyExc_ValueError,
      self->is_handed_out
          ? "the stream was handed out before, and is read once: call decant.read() again, "
            "or keep what was read, such as in arrow()"
          : "the stream is closed");
  return false;
}

static PyObject *arrow_c_stream(PyObject *object, PyObject *arguments, PyObject *names) {
  // The interface allows a producer to ignore the schema that a consumer would like.
  static char *words[] = {"requested_schema", NULL};
  PyObject *requested = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, names, "|O:__arrow_c_stream__", words, &requested))
    return NULL;
  Stream *self = (Stream *)object;
  if (!is_open(self)) return NULL;
  self->is_handed_out = true;
  return capsule_of_arrow_array_stream(&self->stream);
}

// The schema, whether the stream is still there or not: that of a stream of nothing.
static PyObject *arrow_c_schema(PyObject *object, PyObject *none) {
  (void)none;
  Stream *self = (Stream *)object;
  // Of many files, a function makes it.
  if (PyCallable_Check(self->schema)) return PyObject_CallFunctionObjArgs(self->schema, NULL);
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.columns = self->columns;
  struct ArrowArrayStream stream;
  const decant_record *record =
      decant_schema_record(PyCapsule_GetPointer(self->schema, schema_name));
  if (decant_read_arrow(record, "", 0, &options, self->is_rows ? &stream : NULL,
                        self->is_rows ? NULL : &stream, &error) != DECANT_OK)
    return raise(&error);
  struct ArrowSchema schema;
  const int number = stream.get_schema(&stream, &schema);
  stream.release(&stream);
  return number == 0 ? capsule_of_arrow_schema(&schema) : PyErr_NoMemory();
}

// The next batch, as a capsule; None at the end. Raises what the input raised, as it is.
static PyObject *read_batch(PyObject *object, PyObject *none) {
  (void)none;
  Stream *self = (Stream *)object;
  if (!is_open(self)) return NULL;
  struct outer *outer = self->stream.private_data;
  struct ArrowArray batch;
  // Another thread may close the stream meanwhile.
  Py_INCREF(object);
  PyThreadState *thread = PyEval_SaveThread();
  int number = next_batch(outer, &batch);
  PyEval_RestoreThread(thread);
  if (is_interrupted(self->reading) && number == 0) {
    if (batch.release != NULL) batch.release(&batch);
    number = EINTR;
  }
  PyObject *result = NULL;
  if (number == 0) {
    result = batch.release != NULL ? capsule_of_arrow_array(&batch) : Py_NewRef(Py_None);
  } else if (number == ENOMEM) {
    PyErr_NoMemory();
  } else if (self->reading->failure != NULL) {
    PyErr_SetObject((PyObject *)Py_TYPE(self->reading->failure), self->reading->failure);
  } else if (number == EDEADLK) {
    PyErr_SetString(PyExc_RuntimeError, words_of_stream(&self->stream));
  } else {
    errno = number;
    PyErr_SetFromErrno(PyExc_OSError);
  }
  Py_DECREF(object);
  return result;
}

// The text of a row of utf8, or of int64; None where it is null.
static bool is_null(const struct ArrowArray *column, int64_t row) {
  const uint8_t *bits = column->buffers[0];
  row += column->offset;
  return bits != NULL && !(bits[row / 8] >> row % 8 & 1);
}
static PyObject *text_at(const struct ArrowArray *column, int64_t row) {
  if (is_null(column, row)) Py_RETURN_NONE;
  const int32_t *ends = (const int32_t *)column->buffers[1] + column->offset;
  return PyUnicode_DecodeUTF8((const char *)column->buffers[2] + ends[row],
                              ends[row + 1] - ends[row], "replace");
}
static PyObject *number_at(const struct ArrowArray *column, int64_t row) {
  if (is_null(column, row)) Py_RETURN_NONE;
  return PyLong_FromLongLong(((const int64_t *)column->buffers[1])[column->offset + row]);
}

// A batch of rejects as a list of tuples, in the order of its columns.
static PyObject *tuples_of_rejects(PyObject *module, PyObject *capsule) {
  (void)module;
  const struct ArrowArray *batch = PyCapsule_GetPointer(capsule, "arrow_array");
  if (batch == NULL) return NULL;
  struct ArrowArray *const *c = batch->children;
  PyObject *list = PyList_New(0);
  for (int64_t row = 0; list != NULL && row < batch->length; row++) {
    PyObject *tuple =
        Py_BuildValue("NNNNiNNNN", number_at(c[0], row), number_at(c[1], row), number_at(c[2], row),
                      text_at(c[3], row), ((const int32_t *)c[4]->buffers[1])[c[4]->offset + row],
                      text_at(c[5], row), text_at(c[6], row), number_at(c[7], row),
                      batch->n_children > 8 ? text_at(c[8], row) : Py_NewRef(Py_None));
    if (tuple == NULL || PyList_Append(list, tuple) != 0) Py_CLEAR(list);
    Py_XDECREF(tuple);
  }
  return list;
}

// A batch of rows that have a text and their line, as a list of both.
static PyObject *tuples_of_texts(PyObject *module, PyObject *capsule) {
  (void)module;
  const struct ArrowArray *batch = PyCapsule_GetPointer(capsule, "arrow_array");
  if (batch == NULL) return NULL;
  PyObject *list = PyList_New(0);
  for (int64_t row = 0; list != NULL && row < batch->length; row++) {
    PyObject *tuple =
        Py_BuildValue("NN", text_at(batch->children[0], row), number_at(batch->children[1], row));
    if (tuple == NULL || PyList_Append(list, tuple) != 0) Py_CLEAR(list);
    Py_XDECREF(tuple);
  }
  return list;
}

static PyObject *close_stream(PyObject *object, PyObject *none) {
  (void)none;
  Stream *self = (Stream *)object;
  if (self->stream.release != NULL) self->stream.release(&self->stream);
  Py_RETURN_NONE;
}

// Who calls a consumer and then looks at `failure` says so before, for Ctrl-C comes out once.
static PyObject *catch_failure(PyObject *object, PyObject *none) {
  (void)none;
  ((Stream *)object)->reading->is_caught = true;
  Py_RETURN_NONE;
}

static PyObject *failure_of(PyObject *object, void *closure) {
  (void)closure;
  PyObject *failure = ((Stream *)object)->reading->failure;
  return Py_NewRef(failure != NULL ? failure : Py_None);
}

static PyMethodDef stream_methods[] = {
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))arrow_c_stream,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"__arrow_c_schema__", arrow_c_schema, METH_NOARGS, NULL},
    {"read_batch", read_batch, METH_NOARGS, NULL},
    {"catch_failure", catch_failure, METH_NOARGS, NULL},
    {"close", close_stream, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef stream_members[] = {{"failure", failure_of, NULL, NULL, NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot stream_slots[] = {{Py_tp_dealloc, free_stream},
                                     {Py_tp_methods, stream_methods},
                                     {Py_tp_getset, stream_members},
                                     {0, NULL}};
static PyType_Spec stream_spec = {"decant._decant.Stream", sizeof(Stream), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  stream_slots};

// A Stream around one of the library's streams, which it takes over, whether it succeeds or not.
static PyObject *make_stream(struct ArrowArrayStream *inner, struct reading *reading,
                             PyObject *schema, uint32_t columns, bool is_rows) {
  struct outer *outer = malloc(sizeof *outer);
  Stream *self = outer != NULL ? PyObject_New(Stream, stream_type) : (Stream *)PyErr_NoMemory();
  if (self == NULL) {
    free(outer);
    inner->release(inner);
    return NULL;
  }
  *outer = (struct outer){*inner, reading};
  self->stream = (struct ArrowArrayStream){.get_schema = schema_of_stream,
                                           .get_next = next_of_stream,
                                           .get_last_error = words_of_stream,
                                           .release = release_stream,
                                           .private_data = outer};
  // One for the stream, which may be handed out, and one for the object.
  __atomic_add_fetch(&reading->owners, 2, __ATOMIC_RELAXED);
  self->reading = reading;
  self->schema = Py_NewRef(schema);
  self->columns = columns;
  self->is_rows = is_rows;
  self->is_handed_out = false;
  return (PyObject *)self;
}

// ---------------------------------------------------------------------------------------------------
// A stream of what an iterator has, and a column of one text: for many files

// The batches of an iterator. Both are the input's, too, which lives as long.
struct iteration {
  PyObject *iterator;
  PyObject *make_schema;
  struct reading *reading;
};

static int schema_of_iteration(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  struct iteration *iteration = stream->private_data;
  if (!Py_IsInitialized()) return EIO;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *capsule = PyObject_CallFunctionObjArgs(iteration->make_schema, NULL);
  struct ArrowSchema *made = capsule != NULL ? PyCapsule_GetPointer(capsule, "arrow_schema") : NULL;
  int number = 0;
  if (made != NULL) {
    *schema = *made;
    made->release = NULL;
  } else {
    number = (int)-keep_failure(iteration->reading);
  }
  Py_XDECREF(capsule);
  PyGILState_Release(state);
  return number;
}

static int next_of_iteration(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
  struct iteration *iteration = stream->private_data;
  if (!Py_IsInitialized()) return EIO;
  const PyGILState_STATE state = PyGILState_Ensure();
  int number = EIO;
  if (iteration->reading->failure == NULL) {
    PyObject *capsule = PyIter_Next(iteration->iterator);
    struct ArrowArray *made = capsule != NULL ? PyCapsule_GetPointer(capsule, "arrow_array") : NULL;
    number = 0;
    memset(batch, 0, sizeof *batch);
    if (made != NULL) {
      *batch = *made;
      made->release = NULL;
    } else if (PyErr_Occurred()) {
      number = (int)-keep_failure(iteration->reading);
    }
    Py_XDECREF(capsule);
  }
  PyGILState_Release(state);
  return number;
}

static const char *words_of_iteration(struct ArrowArrayStream *stream) {
  (void)stream;
  return "the input could not be read";
}

static int drop_iteration(void *context) {
  struct iteration *iteration = context;
  Py_DECREF(iteration->iterator);
  Py_DECREF(iteration->make_schema);
  free(iteration);
  return 0;
}

static void release_iteration(struct ArrowArrayStream *stream) {
  struct iteration *iteration = stream->private_data;
  stream->release = NULL;
  release_reading(iteration->reading);
  call_with_gil(drop_iteration, iteration);
}

static PyObject *stream_of_iterator(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *iterator, *make_schema;
  if (!PyArg_ParseTuple(arguments, "OO:iterate", &iterator, &make_schema)) return NULL;
  struct iteration *iteration = malloc(sizeof *iteration);
  struct reading *reading = calloc(1, sizeof *reading);
  if (iteration == NULL || reading == NULL) {
    free(iteration);
    free(reading);
    return PyErr_NoMemory();
  }
  reading->owners = 1;
  *iteration = (struct iteration){Py_NewRef(iterator), Py_NewRef(make_schema), reading};
  struct ArrowArrayStream inner = {schema_of_iteration, next_of_iteration, words_of_iteration,
                                   release_iteration, iteration};
  return make_stream(&inner, reading, make_schema, 0, true);
}

// What a struct has beside children that were another's.
#define EXTENSION(type, word)                                                                     \
  struct extended_##word {                                                                        \
    int64_t count;                                                                                \
    struct type **pointers;                                                                       \
    struct type children[];                                                                       \
  };                                                                                              \
  static void release_extended_##word(struct type *extended) {                                    \
    struct extended_##word *block = extended->private_data;                                       \
    extended->release = NULL;                                                                     \
    for (int64_t at = 0; at < block->count; at++)                                                 \
      if (block->children[at].release != NULL) block->children[at].release(&block->children[at]); \
    free(block->pointers);                                                                        \
    free(block);                                                                                  \
  }                                                                                               \
  /* The struct with space for one more child, which is zeros. NULL if there is no memory. */     \
  static struct extended_##word *extend_##word(struct type *from, struct type *extended) {        \
    const size_t count = (size_t)from->n_children + 1;                                            \
    struct extended_##word *block = calloc(1, sizeof *block + count * sizeof *block->children);   \
    if (block != NULL) block->pointers = malloc(count * sizeof *block->pointers);                 \
    if (block == NULL || block->pointers == NULL) {                                               \
      free(block);                                                                                \
      return NULL;                                                                                \
    }                                                                                             \
    block->count = (int64_t)count;                                                                \
    for (size_t at = 0; at < count; at++) {                                                       \
      block->pointers[at] = &block->children[at];                                                 \
      if (at + 1 == count) break;                                                                 \
      block->children[at] = *from->children[at];                                                  \
      from->children[at]->release = NULL;                                                         \
    }                                                                                             \
    memset(extended, 0, sizeof *extended);                                                        \
    extended->n_children = (int64_t)count;                                                        \
    extended->children = block->pointers;                                                         \
    extended->private_data = block;                                                               \
    extended->release = release_extended_##word;                                                  \
    return block;                                                                                 \
  }

EXTENSION(ArrowSchema, arrow_schema)
EXTENSION(ArrowArray, arrow_array)

static void release_text_schema(struct ArrowSchema *schema) { schema->release = NULL; }

// What a column of text has, which may be moved out of its batch.
struct text {
  const void *buffers[3];
  int32_t *ends;
  char *bytes;
};
static void release_text(struct ArrowArray *array) {
  struct text *text = array->private_data;
  array->release = NULL;
  free(text->ends);
  free(text->bytes);
  free(text);
}

// A schema with one more column, of utf8, whose name is a literal of ours.
static PyObject *add_column(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule;
  int is_rows;
  if (!PyArg_ParseTuple(arguments, "Op:add_column", &capsule, &is_rows)) return NULL;
  struct ArrowSchema *from = PyCapsule_GetPointer(capsule, "arrow_schema"), extended;
  if (from == NULL) return NULL;
  struct extended_arrow_schema *block = extend_arrow_schema(from, &extended);
  if (block == NULL) return PyErr_NoMemory();
  extended.format = "+s";
  extended.name = "";
  extended.flags = from->flags;
  block->children[block->count - 1] = (struct ArrowSchema){
      .format = "u", .name = is_rows ? "_file" : "file", .release = release_text_schema};
  return capsule_of_arrow_schema(&extended);
}

// A batch with one more column: the same text in every row.
static PyObject *add_text(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule;
  const char *text;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(arguments, "Os#:add_text", &capsule, &text, &length)) return NULL;
  struct ArrowArray *from = PyCapsule_GetPointer(capsule, "arrow_array"), extended;
  if (from == NULL) return NULL;
  const int64_t rows = from->length;
  if (length > 0 && rows > INT32_MAX / length) {
    PyErr_SetString(PyExc_OverflowError,
                    "the names of files take more than 2 GiB: use a smaller batch_rows");
    return NULL;
  }
  int32_t *ends = malloc(((size_t)rows + 1) * sizeof *ends);
  char *bytes = malloc((size_t)(rows * length) + 1);
  struct text *own = malloc(sizeof *own);
  struct extended_arrow_array *block =
      ends != NULL && bytes != NULL && own != NULL ? extend_arrow_array(from, &extended) : NULL;
  if (block == NULL) {
    free(ends);
    free(bytes);
    free(own);
    return PyErr_NoMemory();
  }
  *own = (struct text){{NULL, ends, bytes}, ends, bytes};
  for (int64_t row = 0; row <= rows; row++) ends[row] = (int32_t)(row * length);
  for (int64_t row = 0; row < rows; row++) memcpy(bytes + row * length, text, (size_t)length);
  static const void *no_nulls[1] = {NULL};
  extended.length = rows;
  extended.n_buffers = 1;
  extended.buffers = no_nulls;
  block->children[block->count - 1] = (struct ArrowArray){.length = rows,
                                                          .n_buffers = 3,
                                                          .buffers = own->buffers,
                                                          .release = release_text,
                                                          .private_data = own};
  return capsule_of_arrow_array(&extended);
}

// ---------------------------------------------------------------------------------------------------
// Functions

// An input of a source: a function, a descriptor with the form that its name says and that name, or a buffer. NULL after raising.
static struct input *make_input(PyObject *schema, PyObject *source) {
  struct input *input = calloc(1, sizeof *input);
  if (input == NULL) return (struct input *)PyErr_NoMemory();
  if (PyTuple_Check(source)) {
    int descriptor, form;
    PyObject *name;
    if (PyArg_ParseTuple(source, "iiO", &descriptor, &form, &name))
      input->file = file_of(descriptor, form);
    if (input->file == NULL) {
      free(input);
      return NULL;
    }
    input->name = Py_NewRef(name);
  } else if (PyCallable_Check(source)) {
    input->pull = Py_NewRef(source);
  } else if (PyObject_GetBuffer(source, &input->view, PyBUF_SIMPLE) != 0) {
    free(input);
    return NULL;
  }
  input->schema = Py_NewRef(schema);
  return input;
}

static PyObject *read_streams(PyObject *module, PyObject *arguments, PyObject *names) {
  (void)module;
  static char *words[] = {"schema",
                          "source",
                          "rejects",
                          "batch_rows",
                          "columns",
                          "framing",
                          "elements",
                          "maximum_bytes",
                          "maximum_memory",
                          "maximum_depth",
                          "duplicate_keys",
                          "relaxations",
                          "skips_byte_order_mark",
                          "rejects_unknown",
                          "redacts",
                          "first_line",
                          "first_offset",
                          "threads",
                          "limit",
                          NULL};
  PyObject *schema, *source;
  Py_ssize_t rejects, maximum_bytes, maximum_memory, maximum_depth, threads;
  long long batch_rows, first_line, first_offset, limit;
  unsigned columns, relaxations;
  int framing, duplicate_keys, skips, rejects_unknown, redacts;
  const char *elements;
  if (!PyArg_ParseTupleAndKeywords(arguments, names, "OOnLIiznnniIiiiLLnL:read", words, &schema,
                                   &source, &rejects, &batch_rows, &columns, &framing, &elements,
                                   &maximum_bytes, &maximum_memory, &maximum_depth, &duplicate_keys,
                                   &relaxations, &skips, &rejects_unknown, &redacts, &first_line,
                                   &first_offset, &threads, &limit))
    return NULL;
  const decant_schema *parsed = PyCapsule_GetPointer(schema, schema_name);
  if (parsed == NULL) return NULL;
  struct reading *reading = calloc(1, sizeof *reading);
  if (reading == NULL) return PyErr_NoMemory();
  struct input *input = make_input(schema, source);
  if (input == NULL) {
    free(reading);
    return NULL;
  }
  *reading = (struct reading){.owners = 1, .input = input};
  decant_options options = DECANT_OPTIONS_INIT;
  options.maximum_rejects = (size_t)rejects;
  options.batch_rows = batch_rows;
  options.columns = columns;
  options.framing = framing;
  options.elements_at = elements;
  options.maximum_bytes = (size_t)maximum_bytes;
  options.maximum_memory = (size_t)maximum_memory;
  options.maximum_depth = (size_t)maximum_depth;
  options.duplicate_keys = duplicate_keys;
  options.relaxations = relaxations;
  options.skips_byte_order_mark = skips;
  options.rejects_unknown = rejects_unknown;
  options.redacts_input = redacts;
  options.first_line = first_line;
  options.first_offset = first_offset;
  options.maximum_rows = limit;
  options.release = release_input;
  options.release_context = reading;
  struct ArrowArrayStream inner[2];
  decant_error error = DECANT_ERROR_INIT;
  const decant_record *record = decant_schema_record(parsed);
  const char *json = input->view.buf != NULL ? input->view.buf : "";
  const size_t length = (size_t)input->view.len;
  const bool is_buffer = input->view.obj != NULL;
  const decant_read_function function = is_buffer             ? NULL
                                        : input->pull != NULL ? read_more
                                                              : read_from_file;
  decant_status status;
  if (threads > 1)
    status = parallel_read_arrow(record, json, length, function, reading, (size_t)threads, &options,
                                 &inner[0], &inner[1], &error);
  else if (is_buffer)
    status = decant_read_arrow(record, json, length, &options, &inner[0], &inner[1], &error);
  else
    status =
        decant_read_arrow_from(record, function, reading, &options, &inner[0], &inner[1], &error);
  if (status != DECANT_OK) {
    close_file(input->file);
    drop_input(input);
    free(reading);
    return raise(&error);
  }
  PyObject *rows = make_stream(&inner[0], reading, schema, columns, true);
  if (rows == NULL) {
    inner[1].release(&inner[1]);
    return NULL;
  }
  PyObject *refused = make_stream(&inner[1], reading, schema, columns, false);
  if (refused == NULL) {
    Py_DECREF(rows);
    return NULL;
  }
  return Py_BuildValue("NN", rows, refused);
}

// Cuts a batch to its first rows; returns how many it has then. Columns may be longer than their struct.
static PyObject *cut(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule;
  long long most;
  if (!PyArg_ParseTuple(arguments, "OL:cut", &capsule, &most)) return NULL;
  struct ArrowArray *batch = PyCapsule_GetPointer(capsule, "arrow_array");
  if (batch == NULL) return NULL;
  if (batch->length > most) batch->length = most;
  return PyLong_FromLongLong(batch->length);
}

static PyObject *split(PyObject *module, PyObject *arguments) {
  (void)module;
  Py_buffer view;
  Py_ssize_t count;
  if (!PyArg_ParseTuple(arguments, "y*n:split", &view, &count)) return NULL;
  if (count < 1) {
    PyBuffer_Release(&view);
    PyErr_SetString(PyExc_ValueError, "count is less than 1");
    return NULL;
  }
  // No piece is empty.
  if (count > view.len) count = view.len > 0 ? view.len : 1;
  decant_piece *pieces = malloc((size_t)count * sizeof *pieces);
  size_t made = 0;
  PyObject *list = pieces != NULL ? PyList_New(0) : PyErr_NoMemory();
  if (list != NULL) {
    Py_BEGIN_ALLOW_THREADS made =
        decant_split_lines(view.buf, (size_t)view.len, (size_t)count, pieces);
    Py_END_ALLOW_THREADS
  }
  for (size_t at = 0; list != NULL && at < made; at++) {
    PyObject *piece =
        Py_BuildValue("LnL", (long long)pieces[at].first_offset, (Py_ssize_t)pieces[at].length,
                      (long long)pieces[at].first_line);
    if (piece == NULL || PyList_Append(list, piece) != 0) Py_CLEAR(list);
    Py_XDECREF(piece);
  }
  free(pieces);
  PyBuffer_Release(&view);
  return list;
}

static PyMethodDef methods[] = {
    {"parse_schema", parse_schema, METH_VARARGS, NULL},
    {"describe", describe, METH_O, NULL},
    {"read", (PyCFunction)(void (*)(void))read_streams, METH_VARARGS | METH_KEYWORDS, NULL},
    {"split", split, METH_VARARGS, NULL},
    {"cut", cut, METH_VARARGS, NULL},
    {"open_file", make_file, METH_VARARGS, NULL},
    {"read_file", bytes_of_file, METH_VARARGS, NULL},
    {"can_decompress", has_form, METH_O, NULL},
    {"iterate", stream_of_iterator, METH_VARARGS, NULL},
    {"add_column", add_column, METH_VARARGS, NULL},
    {"add_text", add_text, METH_VARARGS, NULL},
    {"tuples_of_rejects", tuples_of_rejects, METH_O, NULL},
    {"tuples_of_texts", tuples_of_texts, METH_O, NULL},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_decant", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__decant(void) {
  PyObject *module = PyModule_Create(&definition);
  if (module == NULL) return NULL;
  stream_type = (PyTypeObject *)PyType_FromSpec(&stream_spec);
  decant_error_type =
      PyErr_NewExceptionWithDoc("decant.DecantError",
                                "A description or options that are wrong. `code` is a status of "
                                "decant.h; `path`, `line` and `column` say where.",
                                PyExc_ValueError, NULL);
  if (stream_type == NULL || decant_error_type == NULL ||
      PyModule_AddObjectRef(module, "Stream", (PyObject *)stream_type) != 0 ||
      PyModule_AddObjectRef(module, "DecantError", decant_error_type) != 0 ||
      PyModule_AddStringConstant(module, "version", decant_version()) != 0) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
