/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Structs of several cases, told by a tag: in structs, arrays and lines, by both engines, and back.
 */
#include "check.h"

#ifdef WITHOUT_JANSSON
enum { ENGINES = 1 };
#else
enum { ENGINES = 2 };
#endif

enum type { NONE, ORDER, PAYMENT, PING };

struct order {
  int64_t id;
  const char **items;
  size_t item_count;
};
struct payment {
  double amount;
  char currency[4];
};
struct message {
  int64_t at;
  enum type type;
  union {
    struct order order;
    struct payment payment;
  } of;
  void *storage;
};

static const decant_field order_fields[] = {
    DECANT_FIELD(struct order, id),
    DECANT_FIELD(struct order, items, DECANT_COUNT(struct order, item_count), .flags = DECANT_OPTIONAL)};
static const decant_record order_record = DECANT_TABLE(struct order, order_fields);
static const decant_field payment_fields[] = {
    DECANT_FIELD(struct payment, amount), DECANT_FIELD(struct payment, currency, .flags = DECANT_OPTIONAL)};
static const decant_record payment_record = DECANT_TABLE(struct payment, payment_fields);

static const decant_name types[] = {
    {"order", ORDER}, {"payment", PAYMENT}, {"ping", PING}, {"pong", PING}, {NULL, 0}};
static const decant_record *const cases[] = {&order_record, &payment_record, NULL, NULL};
#define UNION(...)                                                                                        \
  DECANT_FIELD_AS(struct message, of, DECANT_UNION, .key = "type", .names = types, .records = cases,     \
                  DECANT_TAG(struct message, type), __VA_ARGS__)
#define STORED .storage_offset = offsetof(struct message, storage)
static const decant_field fields[] = {UNION(.flags = 0), DECANT_FIELD(struct message, at, .flags = DECANT_OPTIONAL)};
static const decant_record record = DECANT_TABLE(struct message, fields, STORED);
static const decant_record closed = DECANT_TABLE(struct message, fields, STORED, .flags = DECANT_CLOSED);
static const decant_field optional_fields[] = {UNION(.flags = DECANT_OPTIONAL),
                                               DECANT_FIELD(struct message, at, .flags = DECANT_OPTIONAL)};
static const decant_record optional = DECANT_TABLE(struct message, optional_fields, STORED);

static const char order_json[] = "{\"type\":\"order\",\"id\":7,\"items\":[\"a\",\"bb\"],\"at\":1}";
static const char payment_json[] = "{\"type\":\"payment\",\"amount\":2.5,\"currency\":\"EUR\"}";

static decant_status decode(const decant_record *table, const char *json, int engine, struct message *out,
                            decant_error *error) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  return decant_decode_with(table, json, strlen(json), out, &options, error);
}

static void test_cases(int engine) {
  const decant_record *tables[] = {&record, &closed, &optional};
  for (int at = 0; at < 3; at++) {
    struct message message;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(tables[at], &error) == DECANT_OK, "the table is valid");
    check_text(error.message, "");
    memset(&message, 0xA5, sizeof message);
    if (check(decode(tables[at], order_json, engine, &message, &error) == DECANT_OK, "an order")) {
      check(message.type == ORDER && message.at == 1 && message.of.order.id == 7, "its numbers");
      check(message.of.order.item_count == 2, "its list");
      check_text(message.of.order.items[1], "bb");
      char text[256];
      size_t length;
      check(decant_encode(tables[at], &message, text, sizeof text, &length, &error) == DECANT_OK, "encoding");
      check_text(text, order_json);
      decant_free(tables[at], &message);
    } else {
      puts(error.message);
    }
    if (check(decode(tables[at], payment_json, engine, &message, &error) == DECANT_OK, "a payment")) {
      check(message.type == PAYMENT && message.of.payment.amount > 2.4, "its number");
      check_text(message.of.payment.currency, "EUR");
      char text[256];
      check(decant_encode(tables[at], &message, text, sizeof text, NULL, &error) == DECANT_OK, "encoding");
      check_text(text, payment_json);
      decant_free(tables[at], &message);
    }
    /* The tag may be anywhere; a case without members; a second name. */
    check(decode(tables[at], "{\"at\":4,\"type\":\"pong\"}", engine, &message, &error) == DECANT_OK, "a pong");
    check(message.type == PING && message.at == 4, "which is a ping");
    decant_free(tables[at], &message);
    check(decode(tables[at], "{\"amount\":3,\"type\":\"payment\"}", engine, &message, &error) == DECANT_OK, "last");
    check(message.of.payment.amount > 2.9, "is found all the same");
    decant_free(tables[at], &message);
  }
}

static void test_errors(int engine) {
  static const struct {
    const char *json;
    decant_status status;
    const char *path, *what;
  } rows[] = {
      {"{\"type\":\"refund\"}", DECANT_INVALID_VALUE, "/type",
       "the string \"refund\" is not one of \"order\", \"payment\", \"ping\", \"pong\""},
      {"{\"type\":1}", DECANT_TYPE_MISMATCH, "/type", "expected a string, found the number 1"},
      {"{\"type\":null}", DECANT_MISSING_KEY, "/type", "expected a string, found null"},
      {"{\"at\":1}", DECANT_MISSING_KEY, "/type", "the key is missing"},
      {"{\"type\":\"order\"}", DECANT_MISSING_KEY, "/id", "the key is missing"},
      {"{\"type\":\"payment\",\"id\":1,\"amount\":true}", DECANT_TYPE_MISMATCH, "/amount",
       "expected a number, found true"},
      {"{\"type\":\"order\",\"id\":\"x\",\"at\":false}", DECANT_MULTIPLE, "/id", "expected an integer"},
      {"[]", DECANT_TYPE_MISMATCH, "", "expected an object"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    struct message message = {.at = 5};
    decant_error error = DECANT_ERROR_INIT;
    decant_status status = decode(&record, rows[at].json, engine, &message, &error);
    if (!check(status == rows[at].status, rows[at].json)) printf("%d: %s\n", status, error.message);
    check_text(error.path, rows[at].path);
    if (!check(strstr(error.message, rows[at].what) != NULL, rows[at].json)) puts(error.message);
    check(message.at == 5, "the struct is untouched");
  }
  struct message message;
  decant_error error = DECANT_ERROR_INIT;
  check(decode(&closed, "{\"type\":\"order\",\"id\":1,\"amout\":2}", engine, &message, &error) == DECANT_UNKNOWN_KEY,
        "an unknown member");
  if (!check(strstr(error.message, "did you mean \"amount\"?") != NULL, "the nearest of all cases")) {
    puts(error.message);
  }
  check(decode(&optional, "{\"at\":3}", engine, &message, &error) == DECANT_OK && message.type == NONE, "no tag");
  char text[64];
  check(decant_encode(&optional, &message, text, sizeof text, NULL, &error) == DECANT_OK, "is written");
  check_text(text, "{\"at\":3}");
  decant_free(&optional, &message);
}

/* Structs that have no case, and texts that are none. */
static void test_encoding(void) {
  struct message message = {.type = (enum type)9};
  decant_error error = DECANT_ERROR_INIT;
  char text[256];
  size_t length;
  check(decant_encode(&record, &message, text, sizeof text, &length, &error) == DECANT_INVALID_VALUE, "no such case");
  check_text(error.message,
             "/type: no name has the value 9; the names are \"order\", \"payment\", \"ping\", \"pong\"");
  message.type = PAYMENT;
  message.of.payment = (struct payment){1, "EUR"};
  message.of.payment.currency[3] = 'X';
  check(decant_encode(&record, &message, text, sizeof text, &length, &error) == DECANT_INVALID_VALUE, "no NUL");
  check_text(error.path, "/currency");
  message.type = ORDER;
  message.of.order = (struct order){1, NULL, 2};
  check(decant_encode(&record, &message, text, sizeof text, &length, &error) == DECANT_INVALID_VALUE, "NULL");
  check_text(error.path, "/items");
}

static int64_t sum;
static int on_message(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct message *message = value;
  (void)context;
  (void)error;
  if (message == NULL) sum += 1000000 * line;
  else if (message->type == ORDER) sum += message->of.order.id;
  else if (message->type == PAYMENT) sum += (int64_t)message->of.payment.amount * 100;
  else sum += 10000;
  return 0;
}

static void test_streams(void) {
  static const char lines[] =
      "{\"type\":\"order\",\"id\":1,\"items\":[\"x\"]}\n{\"type\":\"payment\",\"amount\":2}\n{\"type\":\"x\"}\n"
      "{\"type\":\"ping\"}\n{\"id\":5,\"type\":\"order\"}\n";
  decant_error error = DECANT_ERROR_INIT;
  sum = 0;
  check(decant_decode_lines(&record, lines, sizeof lines - 1, on_message, NULL, NULL, &error) == DECANT_OK, "lines");
  check(sum == 1 + 200 + 3000000 + 10000 + 5, "each of its case");

  static char big[2000000];
  char *end = big;
  *end++ = '[';
  for (int at = 0; at < 20000; at++) {
    end += at % 2 == 0 ? sprintf(end, "{\"type\":\"order\",\"id\":%d,\"items\":[\"item %d\"]},", at, at)
                       : sprintf(end, "{\"at\":%d,\"type\":\"payment\",\"amount\":%d,\"currency\":\"USD\"},", at, at);
  }
  end[-1] = ']';
  decant_array array;
  if (!check(decant_decode_array(&record, "", big, (size_t)(end - big), &array, NULL, &error) == DECANT_OK, "many")) {
    puts(error.message);
    return;
  }
  bool fine = array.count == 20000;
  const struct message *messages = array.items;
  for (size_t at = 0; at < array.count; at++) {
    char item[32];
    sprintf(item, "item %zu", at);
    fine = fine && (at % 2 == 0 ? messages[at].type == ORDER && messages[at].of.order.id == (int64_t)at &&
                                      !strcmp(messages[at].of.order.items[0], item)
                                : messages[at].type == PAYMENT && messages[at].at == (int64_t)at &&
                                      (size_t)messages[at].of.payment.amount == at);
  }
  check(fine, "each of its case");
  decant_array_free(&array, NULL);
}

static void test_tables(void) {
  static const decant_field deep[] = {DECANT_FIELD(struct payment, amount, .key = "/a", .flags = DECANT_POINTER)};
  static const decant_record deep_record = DECANT_TABLE(struct payment, deep);
  static const decant_record *const deep_cases[] = {&deep_record, NULL, NULL, NULL};
  static const decant_field wide[] = {DECANT_FIELD(struct message, at)};
  static const decant_record wide_record = DECANT_TABLE(struct message, wide);
  static const decant_record *const wide_cases[] = {&order_record, &wide_record, NULL, NULL};
  static const decant_name large[] = {{"order", 1}, {"payment", INT64_C(1) << 31}, {NULL, 0}};
  static const decant_name negative[] = {{"order", -1}, {NULL, 0}};
  const char *const texts[] = {"names or records is NULL",
                               "names or records is NULL",
                               "extent is 0",
                               "the record of a case has a DECANT_POINTER",
                               "the record of a case is larger than the union",
                               "a name's value does not fit into the tag",
                               "a name's value does not fit into the tag",
                               "a DECANT_UNION has no flags but DECANT_OPTIONAL",
                               "length_offset is missing",
                               "a record with a DECANT_UNION has a DECANT_POINTER"};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    decant_field copy[2];
    memcpy(copy, fields, sizeof copy);
    decant_field *field = &copy[0];
    if (at == 0) field->names = NULL;
    if (at == 1) field->records = NULL;
    if (at == 2) field->extent = 0;
    if (at == 3) field->records = deep_cases;
    if (at == 4) field->records = wide_cases;
    if (at == 5) field->names = large;
    if (at == 6) field->names = negative;
    if (at == 7) field->flags = DECANT_FROM_TEXT;
    if (at == 8) field->length_offset = 0, field->length_kind = 0;
    if (at == 9) copy[1].key = "/at", copy[1].flags = DECANT_POINTER;
    decant_record table = record;
    table.fields = copy;
    decant_error error = DECANT_ERROR_INIT;
    struct message message;
    check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD, texts[at]);
    if (!check(strstr(error.message, texts[at]) != NULL, texts[at])) puts(error.message);
    check(decant_decode(&table, "{}", 2, &message, &error) == DECANT_INVALID_RECORD, texts[at]);
  }
  decant_error error = DECANT_ERROR_INIT;
  struct ArrowArrayStream rows;
  if (decant_read_arrow(&record, "", 0, NULL, &rows, NULL, &error) == DECANT_OK) {
    check(false, "no columns");
    rows.release(&rows);
  }
  if (!check(strstr(error.message, "a DECANT_UNION has no columns") != NULL, "says so")) puts(error.message);
  char text[256];
  size_t length;
  check(decant_record_describe(&record, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "no description");
  /* Two fields of one key beside a union. */
  decant_field copy[3];
  memcpy(copy, fields, sizeof fields);
  copy[1].key = "type", copy[1].key_length = 0, copy[1].kind = DECANT_KIND;
  decant_record table = record;
  table.fields = copy;
  struct message message = {.type = PING};
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "one key twice");
}

/* A field of a case may have the key of a field around it, or of the tag: both are read, and encoding would write one key
 * twice. Names of one value have one record: the value alone tells what the union holds. */
static void test_keys_of_cases(void) {
  static const decant_field with_at[] = {DECANT_FIELD(struct order, id, .key = "at")};
  static const decant_field with_type[] = {DECANT_FIELD(struct payment, currency, .key = "type")};
  static const decant_record at_record = DECANT_TABLE(struct order, with_at);
  static const decant_record type_record = DECANT_TABLE(struct payment, with_type);
  static const decant_record *const with_keys[] = {&at_record, &type_record, NULL, NULL};
  decant_field copy[2];
  memcpy(copy, fields, sizeof fields);
  copy[0].records = with_keys;
  decant_record table = record;
  table.fields = copy;
  char text[256];
  size_t length;
  decant_error error = DECANT_ERROR_INIT;
  struct message message;
  check(decode(&table, "{\"type\":\"order\",\"at\":3}", DECANT_NATIVE, &message, &error) == DECANT_OK, "read twice");
  check(message.at == 3 && message.of.order.id == 3, "by both");
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "a key twice");
  check(strstr(error.message, "two fields of a record with a DECANT_UNION or DECANT_REST have one key") != NULL, "says so");
  message.type = PAYMENT;
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "the tag's, too");
  message.type = PING;
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_OK, "not in this case");
  check_text(text, "{\"type\":\"ping\",\"at\":3}");
  decant_free(&table, &message);

  /* Two fields of one case have one key. */
  static const decant_field same[] = {DECANT_FIELD(struct order, id, .flags = DECANT_OPTIONAL),
                                      DECANT_FIELD_AS(struct order, items, DECANT_ARRAY, .key = "id", .element = DECANT_STRING,
                                                      DECANT_COUNT(struct order, item_count), .flags = DECANT_OPTIONAL)};
  static const decant_record same_record = DECANT_TABLE(struct order, same);
  static const decant_record *const with_same[] = {&same_record, NULL, NULL, NULL};
  copy[0].records = with_same;
  const char *const item = "x";
  message = (struct message){.type = ORDER, .of.order = {7, (const char **)&item, 1}};
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "a key twice in a case");

  static const decant_name two[] = {{"order", ORDER}, {"payment", ORDER}, {"ping", PING}, {"pong", PING}, {NULL, 0}};
  memcpy(copy, fields, sizeof fields);
  copy[0].names = two;
  check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD, "two records of one value");
  check(strstr(error.message, "two names of one value have different records") != NULL, "says so");
  check(decode(&table, payment_json, DECANT_NATIVE, &message, &error) == DECANT_OK, "read by its name");
  check(decant_encode(&table, &message, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "not written as an order");
  check(strstr(error.message, "two names of one value have different records") != NULL, "says so, too");
  decant_free(&table, &message);
}

int main(void) {
  for (int engine = 0; engine < ENGINES; engine++) {
    test_cases(engine);
    test_errors(engine);
  }
  test_encoding();
  test_streams();
  test_tables();
  test_keys_of_cases();
  return check_end();
}
