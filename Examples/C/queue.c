/* A service in C: its configuration, or what is wrong with it, and a queue of messages.
 *
 *     cc -std=c11 queue.c -ldecant && ./a.out config.json < queue.ndjson */
#include <decant.h>
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
enum level { DEBUG, INFO, ERROR };
enum { READ = 1, WRITE = 2, ADMIN = 4 };
struct limits { uint32_t connections; double timeout; };
struct listener { char host[64]; uint16_t port; uint32_t rights; };
struct config {
  int level;
  const char *name;
  struct limits limits;
  struct listener *listeners;
  size_t listener_count;
  void *storage;
};
static const decant_name levels[] = {{"debug", DEBUG}, {"info", INFO}, {"error", ERROR}, {NULL, 0}};
static const decant_name rights[] = {{"read", READ}, {"write", WRITE}, {"admin", ADMIN}, {NULL, 0}};
static const decant_bounds some = {.minimum = 1}, full = {.shortest = 1}, seconds = {.least = 0.1};
static const int info = INFO;
static const decant_field limits_fields[] = {
  DECANT_FIELD(struct limits, connections, .bounds = &some),
  DECANT_FIELD(struct limits, timeout, .bounds = &seconds)};
static const decant_record limits = DECANT_TABLE(struct limits, limits_fields);
static const decant_field listener_fields[] = {
  DECANT_FIELD(struct listener, host),
  DECANT_FIELD(struct listener, port, .bounds = &some),
  DECANT_FIELD_AS(struct listener, rights, DECANT_FLAGS, .names = rights)};
static const decant_record listener = DECANT_TABLE(struct listener, listener_fields);
static const decant_field config_fields[] = {
  DECANT_FIELD_AS(struct config, level, DECANT_ENUM, .names = levels,
                  .flags = DECANT_DEFAULT, .default_value = &info),
  DECANT_FIELD(struct config, name, .bounds = &full),
  DECANT_FIELD_AS(struct config, limits, DECANT_RECORD, .record = &limits),
  DECANT_FIELD_AS(struct config, listeners, DECANT_ARRAY, .element = DECANT_RECORD,
                  .record = &listener, .bounds = &full,
                  DECANT_COUNT(struct config, listener_count))};
static const decant_record config_record = DECANT_TABLE(struct config, config_fields,
  .storage_offset = offsetof(struct config, storage), .flags = DECANT_CLOSED);

enum { ORDER, PAYMENT, STOP };
struct order { int64_t id; const char *item; };
struct payment { int64_t order; decant_decimal amount; };
union body { struct order order; struct payment payment; };
struct message { int type; union body of; void *storage; };
static const decant_field order_fields[] = {
  DECANT_FIELD(struct order, id), DECANT_FIELD(struct order, item)};
static const decant_record order = DECANT_TABLE(struct order, order_fields);
static const decant_field payment_fields[] = {
  DECANT_FIELD(struct payment, order),
  DECANT_FIELD_AS(struct payment, amount, DECANT_DECIMAL, .scale = 2)};
static const decant_record payment = DECANT_TABLE(struct payment, payment_fields);
static const decant_name types[] = {
  {"order", ORDER}, {"payment", PAYMENT}, {"stop", STOP}, {NULL, 0}};
static const decant_record *const cases[] = {&order, &payment, NULL};
static const decant_field message_fields[] = {
  DECANT_FIELD_AS(struct message, of, DECANT_UNION, .key = "type", .names = types, .records = cases,
                  DECANT_TAG(struct message, type))};
static const decant_record message_record = DECANT_TABLE(struct message, message_fields,
  .storage_offset = offsetof(struct message, storage));
/* clang-format on */

static int on_message(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct message *message = value;
  if (error != NULL) return fprintf(context, "%s\n", error->message), 0;
  printf("%d: ", (int)line);
  if (message->type == ORDER) printf("order %d\n", (int)message->of.order.id);
  if (message->type == PAYMENT) printf("%d cents\n", (int)message->of.payment.amount.low);
  if (message->type == STOP) printf("stop\n");
  return message->type == STOP;
}

int main(int count, char **arguments) {
  static char json[65536];
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.source_name = count > 1 ? arguments[1] : "";
  FILE *file = fopen(options.source_name, "r");
  if (file == NULL) return perror(options.source_name), EXIT_FAILURE;
  size_t length = fread(json, 1, sizeof json, file);
  fclose(file);
  struct config config;
  if (decant_decode_with(&config_record, json, length, &config, &options, &error) != DECANT_OK)
    return fprintf(stderr, "%s\n", error.message), EXIT_FAILURE;
  printf("%s, level %d, port %d\n", config.name, config.level, config.listeners->port);
  decant_free(&config_record, &config);
  length = fread(json, 1, sizeof json, stdin);
  decant_decode_lines(&message_record, json, length, on_message, stderr, NULL, &error);
  return error.code == DECANT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
