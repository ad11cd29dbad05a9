/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The macros for rows: DECANT_FIELD, DECANT_FIELD_AS, DECANT_COUNT, DECANT_TAG, DECANT_LEFT_OUT,
 * DECANT_PRESENCE and DECANT_TABLE. decant.h explains them. They derive the kind from the member's
 * type, in C by _Generic, in C++ by templates. Names that begin with DECANT_FIELDS_, and those in
 * the namespace decant_rows, are private.
 */
#ifndef DECANT_FIELDS_H
#define DECANT_FIELDS_H

#define DECANT_FIELDS_NO_KIND \
  "no kind of Decant fits this member: say which one with DECANT_FIELD_AS, or write the row out"
#define DECANT_FIELDS_OTHER_KIND "the type of this member does not fit the kind"
#define DECANT_FIELDS_NO_COUNT "a count must be an integer"
#define DECANT_FIELDS_NO_PRESENCE \
  "a presence must be a bool or a char that is not the first member of its struct"

#define DECANT_FIELDS_NO_LEFT_OUT \
  "a number of elements must be an integer of 32 bits that is not the first member of its struct"

/* The 18th argument: tells one argument from up to 17, and counts them. */
#define DECANT_FIELDS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, ...) r
#define DECANT_FIELDS_OPTIONS(...) \
  DECANT_FIELDS_PICK(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, x)
#define DECANT_FIELDS_GLUE(a, b) DECANT_FIELDS_GLUED(a, b)
#define DECANT_FIELDS_GLUED(a, b) a##b

#ifndef __cplusplus

#define DECANT_FIELDS_MORE(...) \
  DECANT_FIELDS_PICK(__VA_ARGS__, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, \
                     MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, ONE, x)

/* 0 if the condition holds, and a compile error otherwise. */
#define DECANT_FIELDS_MUST(condition, text) \
  (0 * sizeof(struct { _Static_assert(condition, text); char unused; }))

/* A member, used for its type only. */
#define DECANT_FIELDS_MEMBER(t, m) (((t *)0)->m)

/* The kind of a member of a type. For pointers and arrays, the upper byte has the elements'
 * kind. */
#define DECANT_FIELDS_TYPE(m, type, k) \
  type *: (k), type **: DECANT_ARRAY | (k) << 8, const type **: DECANT_ARRAY | (k) << 8, \
  type (*)[(sizeof(m) + 0) / sizeof(type) + (sizeof(m) < sizeof(type))]: \
    DECANT_FIXED_ARRAY | (k) << 8

#define DECANT_FIELDS_KIND(m) \
  _Generic(&(m), \
    DECANT_FIELDS_TYPE(m, bool, DECANT_BOOL), \
    DECANT_FIELDS_TYPE(m, signed char, DECANT_INT8), \
    DECANT_FIELDS_TYPE(m, short, DECANT_INT16), \
    DECANT_FIELDS_TYPE(m, int, DECANT_INT32), \
    DECANT_FIELDS_TYPE(m, long, sizeof(long) == 8 ? DECANT_INT64 : DECANT_INT32), \
    DECANT_FIELDS_TYPE(m, long long, DECANT_INT64), \
    DECANT_FIELDS_TYPE(m, unsigned char, DECANT_UINT8), \
    DECANT_FIELDS_TYPE(m, unsigned short, DECANT_UINT16), \
    DECANT_FIELDS_TYPE(m, unsigned, DECANT_UINT32), \
    DECANT_FIELDS_TYPE(m, unsigned long, sizeof(long) == 8 ? DECANT_UINT64 : DECANT_UINT32), \
    DECANT_FIELDS_TYPE(m, unsigned long long, DECANT_UINT64), \
    DECANT_FIELDS_TYPE(m, float, DECANT_FLOAT), \
    DECANT_FIELDS_TYPE(m, double, DECANT_DOUBLE), \
    DECANT_FIELDS_TYPE(m, decant_text, DECANT_TEXT), \
    char **: DECANT_STRING, const char **: DECANT_STRING, \
    char (*)[sizeof(m)]: DECANT_CHARS, \
    char ***: DECANT_ARRAY | DECANT_STRING << 8, \
    const char ***: DECANT_ARRAY | DECANT_STRING << 8, \
    char *(*)[(sizeof(m) + 0) / sizeof(char *) + (sizeof(m) < sizeof(char *))]: \
      DECANT_FIXED_ARRAY | DECANT_STRING << 8, \
    const char *(*)[(sizeof(m) + 0) / sizeof(char *) + (sizeof(m) < sizeof(char *))]: \
      DECANT_FIXED_ARRAY | DECANT_STRING << 8, \
    default: 0)

#define DECANT_FIELDS_IS_INTEGER(m) (DECANT_FIELDS_KIND(m) >= DECANT_INT8 && \
  DECANT_FIELDS_KIND(m) <= DECANT_UINT64)
#define DECANT_FIELDS_IS_WORD(m) (DECANT_FIELDS_IS_INTEGER(m) && sizeof(m) == 4)

/* The row of a member whose type determines the kind. */
#define DECANT_FIELDS_OF(t, m) \
  .kind = (uint16_t)((DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) & 255) + \
                     DECANT_FIELDS_MUST(DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) != 0, \
                         DECANT_FIELDS_NO_KIND)), \
  .element = (uint16_t)(DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) >> 8), \
  .offset = (uint32_t)offsetof(t, m), \
  .capacity = (uint32_t)(DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) == DECANT_CHARS \
    ? sizeof DECANT_FIELDS_MEMBER(t, m) \
    : (DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) & 255) == DECANT_FIXED_ARRAY \
      ? sizeof DECANT_FIELDS_MEMBER(t, m) / \
          DECANT_FIELDS_WIDTH(DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m)) >> 8) : 0)

/* The size of an element in bytes. */
#define DECANT_FIELDS_WIDTH(k) \
  ((k) == DECANT_TEXT ? sizeof(decant_text) : (k) == DECANT_STRING ? sizeof(char *) \
   : (k) == DECANT_BOOL || (k) == DECANT_INT8 || (k) == DECANT_UINT8 ? (size_t)1 \
   : (k) == DECANT_INT16 || (k) == DECANT_UINT16 ? (size_t)2 \
   : (k) == DECANT_INT32 || (k) == DECANT_UINT32 || (k) == DECANT_FLOAT ? (size_t)4 : (size_t)8)

/* The row of a member whose kind is given. */
#define DECANT_FIELDS_AS(t, m, k) \
  .offset = (uint32_t)offsetof(t, m), DECANT_FIELDS_AS_##k(DECANT_FIELDS_MEMBER(t, m))
#define DECANT_FIELDS_IF(condition, k) \
  .kind = (uint16_t)((k) + DECANT_FIELDS_MUST(condition, DECANT_FIELDS_OTHER_KIND))
#define DECANT_FIELDS_SAME(m, k) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == (k), k)
#define DECANT_FIELDS_AS_DECANT_BOOL(m) DECANT_FIELDS_SAME(m, DECANT_BOOL)
#define DECANT_FIELDS_AS_DECANT_INT8(m) DECANT_FIELDS_SAME(m, DECANT_INT8)
#define DECANT_FIELDS_AS_DECANT_INT16(m) DECANT_FIELDS_SAME(m, DECANT_INT16)
#define DECANT_FIELDS_AS_DECANT_INT32(m) DECANT_FIELDS_SAME(m, DECANT_INT32)
#define DECANT_FIELDS_AS_DECANT_INT64(m) DECANT_FIELDS_SAME(m, DECANT_INT64)
#define DECANT_FIELDS_AS_DECANT_UINT8(m) DECANT_FIELDS_SAME(m, DECANT_UINT8)
#define DECANT_FIELDS_AS_DECANT_UINT16(m) DECANT_FIELDS_SAME(m, DECANT_UINT16)
#define DECANT_FIELDS_AS_DECANT_UINT32(m) DECANT_FIELDS_SAME(m, DECANT_UINT32)
#define DECANT_FIELDS_AS_DECANT_UINT64(m) DECANT_FIELDS_SAME(m, DECANT_UINT64)
#define DECANT_FIELDS_AS_DECANT_FLOAT(m) DECANT_FIELDS_SAME(m, DECANT_FLOAT)
#define DECANT_FIELDS_AS_DECANT_DOUBLE(m) DECANT_FIELDS_SAME(m, DECANT_DOUBLE)
#define DECANT_FIELDS_AS_DECANT_STRING(m) DECANT_FIELDS_SAME(m, DECANT_STRING)
#define DECANT_FIELDS_AS_DECANT_TEXT(m) DECANT_FIELDS_SAME(m, DECANT_TEXT)
#define DECANT_FIELDS_AS_DECANT_CHARS(m) \
  DECANT_FIELDS_SAME(m, DECANT_CHARS), .capacity = (uint32_t)sizeof(m)
#define DECANT_FIELDS_AS_DECANT_RAW(m) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == DECANT_STRING, \
  DECANT_RAW)
#define DECANT_FIELDS_AS_DECANT_KEY(m) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == DECANT_STRING, \
  DECANT_KEY)
#define DECANT_FIELDS_AS_DECANT_ENUM(m) DECANT_FIELDS_IF(DECANT_FIELDS_IS_WORD(m), DECANT_ENUM)
#define DECANT_FIELDS_AS_DECANT_FLAGS(m) DECANT_FIELDS_IF(DECANT_FIELDS_IS_WORD(m), DECANT_FLAGS)
#define DECANT_FIELDS_AS_DECANT_KIND(m) DECANT_FIELDS_IF(DECANT_FIELDS_IS_WORD(m), DECANT_KIND)
#define DECANT_FIELDS_AS_DECANT_DATE(m) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == DECANT_INT32, \
  DECANT_DATE)
#define DECANT_FIELDS_AS_DECANT_BASE64(m) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == DECANT_TEXT, \
  DECANT_BASE64)
#define DECANT_FIELDS_AS_DECANT_DECIMAL(m) DECANT_FIELDS_IF(__builtin_types_compatible_p( \
  __typeof__(m), decant_decimal), DECANT_DECIMAL)
#define DECANT_FIELDS_AS_DECANT_UUID(m) DECANT_FIELDS_IF(DECANT_FIELDS_IS_BYTES(m) && \
  sizeof(m) == 16, DECANT_UUID)
#define DECANT_FIELDS_AS_DECANT_FIXED_BASE64(m) DECANT_FIELDS_IF(DECANT_FIELDS_IS_BYTES(m), \
  DECANT_FIXED_BASE64), .capacity = (uint32_t)sizeof(m)
#define DECANT_FIELDS_IS_BYTES(m) __builtin_types_compatible_p(__typeof__(m), \
  uint8_t[sizeof(m) / sizeof *(m)])
#define DECANT_FIELDS_AS_DECANT_TIME(m) DECANT_FIELDS_IF(DECANT_FIELDS_KIND(m) == DECANT_INT64, \
  DECANT_TIME)
#define DECANT_FIELDS_AS_DECANT_CONVERTED(m) \
  .kind = DECANT_CONVERTED, .extent = (uint32_t)sizeof(m)
#define DECANT_FIELDS_AS_DECANT_UNION(m) .kind = DECANT_UNION, .extent = (uint32_t)sizeof(m)
#define DECANT_FIELDS_AS_DECANT_RECORD(m) .kind = DECANT_RECORD, .extent = (uint32_t)sizeof(m)
#define DECANT_FIELDS_AS_DECANT_RECORD_POINTER(m) DECANT_FIELDS_TO(m, DECANT_RECORD_POINTER)
#define DECANT_FIELDS_AS_DECANT_MAP(m) DECANT_FIELDS_TO(m, DECANT_MAP)
#define DECANT_FIELDS_AS_DECANT_ARRAY(m) DECANT_FIELDS_TO(m, DECANT_ARRAY)
#define DECANT_FIELDS_TO(m, k) \
  DECANT_FIELDS_IF(!DECANT_FIELDS_IS_ARRAY(m), k), .extent = (uint32_t)sizeof *(m)
#define DECANT_FIELDS_AS_DECANT_FIXED_ARRAY(m) \
  DECANT_FIELDS_IF(DECANT_FIELDS_IS_ARRAY(m), DECANT_FIXED_ARRAY), \
  .capacity = (uint32_t)(sizeof(m) / sizeof *(m)), .extent = (uint32_t)sizeof *(m)
/* Tells an array from a pointer. */
#define DECANT_FIELDS_IS_ARRAY(m) (!__builtin_types_compatible_p(__typeof__(m), \
  __typeof__(&*(m))))

#define DECANT_FIELD(t, ...) DECANT_FIELDS_GLUE(DECANT_FIELDS_FIELD_, \
  DECANT_FIELDS_MORE(__VA_ARGS__))(t, __VA_ARGS__)
#define DECANT_FIELDS_FIELD_ONE(t, m) {.key = #m, .key_length = sizeof #m - 1, \
  DECANT_FIELDS_OF(t, m)}
#define DECANT_FIELDS_FIELD_MORE(t, m, ...) {.member = #m, DECANT_FIELDS_OF(t, m), __VA_ARGS__}

#define DECANT_FIELD_AS(t, m, ...) \
  DECANT_FIELDS_GLUE(DECANT_FIELDS_FIELD_AS_, DECANT_FIELDS_MORE(__VA_ARGS__))(t, m, __VA_ARGS__)
#define DECANT_FIELDS_FIELD_AS_ONE(t, m, k) \
  {.key = #m, .key_length = sizeof #m - 1, DECANT_FIELDS_AS(t, m, k)}
#define DECANT_FIELDS_FIELD_AS_MORE(t, m, k, ...) {.member = #m, DECANT_FIELDS_AS(t, m, k), \
  __VA_ARGS__}

#define DECANT_COUNT(t, m) \
  .length_offset = (uint32_t)offsetof(t, m), \
  .length_kind = (uint16_t)( \
    DECANT_FIELDS_MUST(DECANT_FIELDS_IS_INTEGER(DECANT_FIELDS_MEMBER(t, m)), \
        DECANT_FIELDS_NO_COUNT) + \
    (sizeof DECANT_FIELDS_MEMBER(t, m) == sizeof(size_t) && offsetof(t, m) != 0 \
      ? 0 : DECANT_FIELDS_KIND(DECANT_FIELDS_MEMBER(t, m))))

#define DECANT_TAG(t, m) DECANT_COUNT(t, m)

#define DECANT_LEFT_OUT(t, m) \
  .left_out_offset = (uint32_t)(offsetof(t, m) + DECANT_FIELDS_MUST( \
    DECANT_FIELDS_IS_WORD(DECANT_FIELDS_MEMBER(t, m)) && offsetof(t, m) != 0, \
    DECANT_FIELDS_NO_LEFT_OUT))

#define DECANT_PRESENCE(t, m) \
  .presence_offset = (uint32_t)(offsetof(t, m) + DECANT_FIELDS_MUST( \
    sizeof DECANT_FIELDS_MEMBER(t, m) == 1 && offsetof(t, m) != 0, DECANT_FIELDS_NO_PRESENCE))

#define DECANT_TABLE(t, ...) DECANT_FIELDS_GLUE(DECANT_FIELDS_TABLE_, \
  DECANT_FIELDS_MORE(__VA_ARGS__))(t, __VA_ARGS__)
#define DECANT_FIELDS_TABLE_ONE(t, list) \
  {.size = sizeof(t), .fields = (list), .field_count = sizeof(list) / sizeof *(list)}
#define DECANT_FIELDS_TABLE_MORE(t, list, ...) \
  {.size = sizeof(t), .fields = (list), .field_count = sizeof(list) / sizeof *(list), __VA_ARGS__}

#else

#if __cplusplus >= 201703L
#define DECANT_FIELDS_CONSTEXPR constexpr
#else
#define DECANT_FIELDS_CONSTEXPR inline
#endif

namespace decant_rows {

/* The kind of a type that can be an element of an array; 0 for other types. */
template <class T> struct scalar { enum { kind = 0 }; };
template <class T> struct scalar<const T> : scalar<T> {};
template <> struct scalar<bool> { enum { kind = DECANT_BOOL }; };
template <> struct scalar<signed char> { enum { kind = DECANT_INT8 }; };
template <> struct scalar<short> { enum { kind = DECANT_INT16 }; };
template <> struct scalar<int> { enum { kind = DECANT_INT32 }; };
template <> struct scalar<long> { enum { kind = sizeof(long) == 8 ? DECANT_INT64 : DECANT_INT32
  }; };
template <> struct scalar<long long> { enum { kind = DECANT_INT64 }; };
template <> struct scalar<unsigned char> { enum { kind = DECANT_UINT8 }; };
template <> struct scalar<unsigned short> { enum { kind = DECANT_UINT16 }; };
template <> struct scalar<unsigned> { enum { kind = DECANT_UINT32 }; };
template <> struct scalar<unsigned long> { enum { kind = sizeof(long) == 8 ? DECANT_UINT64 :
  DECANT_UINT32 }; };
template <> struct scalar<unsigned long long> { enum { kind = DECANT_UINT64 }; };
template <> struct scalar<float> { enum { kind = DECANT_FLOAT }; };
template <> struct scalar<double> { enum { kind = DECANT_DOUBLE }; };
template <> struct scalar<decant_text> { enum { kind = DECANT_TEXT }; };
template <> struct scalar<char *> { enum { kind = DECANT_STRING }; };
template <> struct scalar<const char *> { enum { kind = DECANT_STRING }; };

/* What a member's type determines: its kind, the kind and number of its elements, and the size of
 * what it points to or of an element. */
template <class T> struct type {
  enum { kind = scalar<T>::kind, element = 0, capacity = 0, pointee = 0, is_pointer = 0,
      is_array = 0 };
};
template <class T> struct type<T *> {
  enum {
    is_string = +scalar<T *>::kind != 0, has_scalars = +scalar<T>::kind != 0,
    kind = is_string ? +scalar<T *>::kind : has_scalars ? +DECANT_ARRAY : 0,
    element = is_string ? 0 : +scalar<T>::kind,
    capacity = 0, pointee = sizeof(T), is_pointer = 1, is_array = 0
  };
};
template <> struct type<void *> {
  enum { kind = 0, element = 0, capacity = 0, pointee = 0, is_pointer = 0, is_array = 0 };
};
template <> struct type<const void *> : type<void *> {};
template <class T, size_t count> struct type<T[count]> {
  enum {
    kind = +scalar<T>::kind != 0 ? +DECANT_FIXED_ARRAY : 0, element = scalar<T>::kind,
    capacity = count, pointee = sizeof(T), is_pointer = 0, is_array = 1
  };
};
template <size_t count> struct type<char[count]> {
  enum { kind = DECANT_CHARS, element = 0, capacity = count, pointee = 0, is_pointer = 0,
      is_array = 0 };
};

template <class T> struct is_integer {
  enum { value = +type<T>::kind >= +DECANT_INT8 && +type<T>::kind <= +DECANT_UINT64 };
};

template <class T, class Other> struct is_same { enum { value = 0 }; };
template <class T> struct is_same<T, T> { enum { value = 1 }; };
template <class T> struct is_bytes { enum { value = 0 }; };
template <size_t count> struct is_bytes<uint8_t[count]> { enum { value = 1 }; };

/* Whether a member of type T can have a kind. */
template <class T, int kind> struct fits {
  enum {
    value =
      kind == DECANT_ENUM || kind == DECANT_FLAGS || kind == DECANT_KIND
        ? sizeof(T) == 4 && (is_integer<T>::value || __is_enum(T))
      : kind == DECANT_DATE ? +type<T>::kind == +DECANT_INT32
      : kind == DECANT_TIME ? +type<T>::kind == +DECANT_INT64
      : kind == DECANT_BASE64 ? +type<T>::kind == +DECANT_TEXT
      : kind == DECANT_DECIMAL ? is_same<T, decant_decimal>::value
      : kind == DECANT_UUID ? is_bytes<T>::value && sizeof(T) == 16
      : kind == DECANT_FIXED_BASE64 ? +is_bytes<T>::value
      : kind == DECANT_RAW || kind == DECANT_KEY ? +type<T>::kind == +DECANT_STRING
      : kind == DECANT_CONVERTED ? 1
      : kind == DECANT_RECORD ? __is_class(T)
      : kind == DECANT_UNION ? __is_union(T) || __is_class(T)
      : kind == DECANT_RECORD_POINTER || kind == DECANT_ARRAY || kind == DECANT_MAP
        ? +type<T>::is_pointer != 0
      : kind == DECANT_FIXED_ARRAY ? +type<T>::is_array != 0
      : +type<T>::kind == kind
  };
};

struct row : decant_field {
  DECANT_FIELDS_CONSTEXPR row(const char *name, size_t at, int type, int count) : decant_field() {
    key = name;
    offset = static_cast<uint32_t>(at);
    kind = static_cast<uint16_t>(type);
    capacity = static_cast<uint32_t>(count);
  }

  template <class T> DECANT_FIELDS_CONSTEXPR void count(size_t at) {
    static_assert(is_integer<T>::value, DECANT_FIELDS_NO_COUNT);
    length_offset = static_cast<uint32_t>(at);
    length_kind = sizeof(T) == sizeof(size_t) && at != 0 ? 0 : static_cast<uint16_t>(type<T>::kind);
  }

  template <class T> DECANT_FIELDS_CONSTEXPR void tag(size_t at) {
    static_assert(is_integer<T>::value || __is_enum(T), DECANT_FIELDS_NO_COUNT);
    length_offset = static_cast<uint32_t>(at);
    length_kind = sizeof(T) == 1 ? DECANT_INT8 : sizeof(T) == 2 ? DECANT_INT16
      : sizeof(T) == 4 ? DECANT_INT32 : DECANT_INT64;
  }

  template <bool isNumber> DECANT_FIELDS_CONSTEXPR void left_out(size_t at) {
    static_assert(isNumber, DECANT_FIELDS_NO_LEFT_OUT);
    left_out_offset = static_cast<uint32_t>(at);
  }

  template <bool isPresence> DECANT_FIELDS_CONSTEXPR void presence(size_t at) {
    static_assert(isPresence, DECANT_FIELDS_NO_PRESENCE);
    presence_offset = static_cast<uint32_t>(at);
  }
};

template <class T> struct field : row {
  static_assert(type<T>::kind != 0, DECANT_FIELDS_NO_KIND);
  DECANT_FIELDS_CONSTEXPR field(const char *name, size_t at) : row(name, at, type<T>::kind,
      type<T>::capacity) {
    element = static_cast<uint16_t>(type<T>::element);
  }
};

template <class T, int k> struct field_as : row {
  static_assert(fits<T, k>::value, DECANT_FIELDS_OTHER_KIND);
  enum {
    is_pointer = k == DECANT_RECORD_POINTER || k == DECANT_ARRAY || k == DECANT_MAP,
    is_array = k == DECANT_FIXED_ARRAY,
    bytes = k == DECANT_RECORD || k == DECANT_UNION || k == DECANT_CONVERTED ? sizeof(T)
      : is_pointer || is_array ? +type<T>::pointee : 0
  };
  DECANT_FIELDS_CONSTEXPR field_as(const char *name, size_t at) : row(name, at, k,
      type<T>::capacity) {
    extent = static_cast<uint32_t>(bytes);
  }
};

}

#define DECANT_FIELDS_TYPE(t, m) decltype(static_cast<t *>(nullptr)->m)
/* Each option is an assignment to the row, or a call of one of its functions. */
#define DECANT_FIELDS_SET(...) DECANT_FIELDS_GLUE(DECANT_FIELDS_SET_, \
  DECANT_FIELDS_OPTIONS(__VA_ARGS__))(__VA_ARGS__)
#define DECANT_FIELDS_SET_0(x)
#define DECANT_FIELDS_SET_1(x, a) row a;
#define DECANT_FIELDS_SET_2(x, a, ...) row a; DECANT_FIELDS_SET_1(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_3(x, a, ...) row a; DECANT_FIELDS_SET_2(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_4(x, a, ...) row a; DECANT_FIELDS_SET_3(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_5(x, a, ...) row a; DECANT_FIELDS_SET_4(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_6(x, a, ...) row a; DECANT_FIELDS_SET_5(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_7(x, a, ...) row a; DECANT_FIELDS_SET_6(x, __VA_ARGS__)
#define DECANT_FIELDS_SET_8(x, a, ...) row a; DECANT_FIELDS_SET_7(x, __VA_ARGS__)
#define DECANT_FIELDS_FIRST(a, ...) a
#define DECANT_FIELDS_TEXT(...) DECANT_FIELDS_TEXT_OF(__VA_ARGS__, x)
#define DECANT_FIELDS_TEXT_OF(m, ...) #m

#define DECANT_FIELD(t, ...) DECANT_FIELDS_FIELD(t, DECANT_FIELDS_FIRST(__VA_ARGS__, x), \
  DECANT_FIELDS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define DECANT_FIELDS_FIELD(t, m, name, ...) \
  ([]() -> decant_field { \
    decant_rows::field<DECANT_FIELDS_TYPE(t, m)> row(name, offsetof(t, m)); \
    DECANT_FIELDS_SET(__VA_ARGS__) \
    return row; \
  }())

#define DECANT_FIELD_AS(t, m, ...) DECANT_FIELDS_FIELD_AS(t, m, #m, \
  DECANT_FIELDS_FIRST(__VA_ARGS__, x), __VA_ARGS__)
#define DECANT_FIELDS_FIELD_AS(t, m, name, k, ...) \
  ([]() -> decant_field { \
    decant_rows::field_as<DECANT_FIELDS_TYPE(t, m), k> row(name, offsetof(t, m)); \
    DECANT_FIELDS_SET(__VA_ARGS__) \
    return row; \
  }())

#define DECANT_COUNT(t, m) .count<DECANT_FIELDS_TYPE(t, m)>(offsetof(t, m))
#define DECANT_TAG(t, m) .tag<DECANT_FIELDS_TYPE(t, m)>(offsetof(t, m))
#define DECANT_LEFT_OUT(t, m) \
  .left_out<(decant_rows::is_integer<DECANT_FIELDS_TYPE(t, m)>::value && \
    sizeof(DECANT_FIELDS_TYPE(t, m)) == 4 && offsetof(t, m) != 0)>(offsetof(t, m))
#define DECANT_PRESENCE(t, m) \
  .presence<(sizeof(DECANT_FIELDS_TYPE(t, m)) == 1 && offsetof(t, m) != 0)>(offsetof(t, m))

#define DECANT_TABLE(t, ...) DECANT_FIELDS_TABLE(t, DECANT_FIELDS_FIRST(__VA_ARGS__, x), \
  __VA_ARGS__)
#define DECANT_FIELDS_TABLE(t, list, ...) \
  ([]() -> decant_record { \
    decant_record row = decant_record(); \
    row.size = sizeof(t); \
    row.fields = list; \
    row.field_count = sizeof(list) / sizeof *(list); \
    DECANT_FIELDS_SET(__VA_ARGS__) \
    return row; \
  }())

#endif

#endif
