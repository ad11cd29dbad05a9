/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Every kind of member, as a C program sees it, in one order, an array of them, and a stream.
 */
#include <string.h>

#include "check.h"
#include "shop.h"

#define CHECK(fine) check(fine, #fine)

#define RICH                                                                               \
  "{\"number\": -9007199254740993, \"state\": \"sent-back\", \"formerState\": \"paid\","   \
  " \"isGift\": true, \"discount\": 0.25, \"wrapping\": [\"card\", \"paper\", \"card\"],"  \
  " \"billing\": {\"street\": \"Kata\\u006ca 1\", \"zip\": 4294967295},"                   \
  " \"shipping\": {\"street\": \"\", \"zip\": 7},"                                         \
  " \"items\": [{\"name\": \"box\", \"count\": 255, \"price\": 1e-3,"                      \
  " \"parts\": [{\"name\": \"lid\", \"price\": 2}, {\"name\": \"hinge\", \"price\": 3}]}," \
  " {\"name\": \"a name that is longer than fifteen bytes\", \"price\": 4}],"              \
  " \"tags\": [\"\", \"a\\u0000b\"], \"weights\": [-32768, 32767], \"note\": \"n\"}"

#define POOR                                                                                       \
  "{\"number\": 1, \"state\": \"open\", \"billing\": {\"street\": \"s\", \"zip\": 1}, \"items\": " \
  "[]}"

static void check_rich(const struct shop_order *order) {
  CHECK(order->number == -9007199254740993);
  CHECK(order->state == SHOP_STATE_SENT_BACK);
  CHECK(order->has_former_state && order->former_state == SHOP_STATE_PAID);
  CHECK(order->is_gift);
  CHECK(order->has_discount && order->discount == 0.25f);
  CHECK(order->wrapping == (SHOP_WRAPPING_PAPER | SHOP_WRAPPING_CARD));
  CHECK(order->billing.street_length == 8 && strcmp(order->billing.street, "Katala 1") == 0);
  CHECK(order->billing.zip == UINT32_MAX);
  CHECK(order->shipping != NULL && order->shipping->zip == 7);
  CHECK(order->shipping->street_length == 0 && order->shipping->street[0] == '\0');
  CHECK(order->items_length == 2);
  const struct shop_item *box = &order->items[0];
  CHECK(strcmp(box->name, "box") == 0 && box->count == 255 && box->price == 1e-3);
  CHECK(box->parts_length == 2 && strcmp(box->parts[1].name, "hinge") == 0);
  CHECK(box->parts[1].price == 3 && box->parts[1].count == 1 && box->parts[1].parts == NULL);
  CHECK(strcmp(order->items[1].name, "a name that is longer than fifteen bytes") == 0);
  CHECK(order->tags_length == 2 && order->tags[0].length == 0 && order->tags[0].bytes[0] == '\0');
  CHECK(order->tags[1].length == 3 && memcmp(order->tags[1].bytes, "a\0b", 4) == 0);
  CHECK(order->weights_length == 2 && order->weights[0] == INT16_MIN);
  CHECK(order->weights[1] == INT16_MAX);
  CHECK(order->note_length == 1 && strcmp(order->note, "n") == 0);
}

static void check_poor(const struct shop_order *order) {
  CHECK(order->number == 1 && order->state == SHOP_STATE_OPEN);
  CHECK(!order->has_former_state && order->former_state == 0);
  CHECK(!order->is_gift && !order->has_discount && order->discount == 0);
  CHECK(order->wrapping == 0 && order->shipping == NULL);
  CHECK(order->items == NULL && order->items_length == 0);
  CHECK(order->tags == NULL && order->tags_length == 0);
  CHECK(order->weights == NULL && order->weights_length == 0);
  CHECK(order->note == NULL && order->note_length == 0);
}

static void values(void) {
  struct shop_order order;
  decant_error error = DECANT_ERROR_INIT;
  CHECK(decode_order(RICH, strlen(RICH), &order, &error) == DECANT_OK);
  check_rich(&order);
  order_free(&order);
  CHECK(order.storage == NULL);
  order_free(&order);
  order_free(NULL);
  CHECK(decode_order(POOR, strlen(POOR), &order, NULL) == DECANT_OK);
  check_poor(&order);
  order_free(&order);

  struct shop_order untouched;
  memset(&untouched, 0x5A, sizeof untouched);
  memset(&order, 0x5A, sizeof order);
  const char *wrong = "{\"number\": 1.5, \"state\": \"lost\", \"billing\": {}, \"items\": []}";
  CHECK(decode_order(wrong, strlen(wrong), &order, &error) == DECANT_MULTIPLE);
  CHECK(error.error_count == 4 && strcmp(error.path, "/number") == 0);
  CHECK(memcmp(&order, &untouched, sizeof order) == 0);
}

static void arrays(void) {
  struct shop_orders orders;
  const char *json = "[" RICH "," POOR "," RICH "]";
  CHECK(decode_orders(json, strlen(json), &orders, NULL) == DECANT_OK);
  CHECK(orders.count == 3);
  check_rich(&orders.items[0]);
  check_poor(&orders.items[1]);
  check_rich(&orders.items[2]);
  orders_free(&orders);
  CHECK(orders.items == NULL && orders.count == 0);
  orders_free(&orders);
  orders_free(NULL);
}

static int take_line(void *context, int64_t line, const struct shop_order *order,
                     const decant_error *error) {
  char *seen = context;
  if (order == NULL) {
    CHECK(error->code == DECANT_TYPE_MISMATCH && error->line == line);
    strcat(seen, "!");
  } else if (order->number == 1) {
    check_poor(order);
    strcat(seen, "p");
  } else {
    check_rich(order);
    strcat(seen, "r");
  }
  return 0;
}

static void streams(void) {
  char seen[8] = "";
  const char *json = RICH "\n\n7\r\n" POOR "\n" RICH;
  CHECK(decode_order_lines(json, strlen(json), take_line, seen, NULL) == DECANT_OK);
  CHECK(strcmp(seen, "r!pr") == 0);
}

int main(void) {
  values();
  arrays();
  streams();
  return check_end();
}
