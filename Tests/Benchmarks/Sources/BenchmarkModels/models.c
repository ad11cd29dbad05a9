// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The checksums of the models in C, field by field in the order of the models in Swift.

#include "BenchmarkModels.h"

static uint64_t sum_text(uint64_t sum, const struct text *text) {
  return benchmark_sum_string(sum, text->bytes, text->length);
}

static uint64_t sum_text_or_null(uint64_t sum, const struct text *text) {
  sum = benchmark_sum_word(sum, text->bytes != NULL);
  return text->bytes ? sum_text(sum, text) : sum;
}

static uint64_t sum_integer(uint64_t sum, integer value) {
  return benchmark_sum_word(sum, (uint64_t)value);
}

uint64_t benchmark_sum_user(uint64_t sum, const struct user *user) {
  sum = sum_integer(sum, user->id);
  sum = sum_text(sum, &user->name);
  return sum_text(sum, &user->email);
}

static uint64_t sum_status(uint64_t sum, const struct status *status) {
  sum = sum_text(sum, &status->created_at);
  sum = sum_integer(sum, status->id);
  sum = sum_text(sum, &status->text);
  sum = sum_integer(sum, status->retweet_count);
  sum = benchmark_sum_word(sum, status->favorited);
  sum = benchmark_sum_word(sum, status->is_reply);
  if (status->is_reply) sum = sum_integer(sum, status->in_reply_to_status_id);
  sum = sum_integer(sum, status->user.id);
  sum = sum_text(sum, &status->user.name);
  sum = sum_text(sum, &status->user.screen_name);
  sum = sum_text_or_null(sum, &status->user.description);
  sum = sum_integer(sum, status->user.followers_count);
  return benchmark_sum_word(sum, status->user.verified);
}

static uint64_t sum_area(uint64_t sum, const struct area *area) {
  sum = sum_integer(sum, area->area_id);
  sum = benchmark_sum_word(sum, area->block_count);
  for (size_t i = 0; i < area->block_count; i++) sum = sum_integer(sum, area->block_ids[i]);
  return sum;
}

static uint64_t sum_seat_category(uint64_t sum, const struct seat_category *category) {
  sum = benchmark_sum_word(sum, category->area_count);
  for (size_t i = 0; i < category->area_count; i++) sum = sum_area(sum, &category->areas[i]);
  return sum_integer(sum, category->seat_category_id);
}

static uint64_t sum_price(uint64_t sum, const struct price *price) {
  sum = sum_integer(sum, price->amount);
  sum = sum_integer(sum, price->audience_sub_category_id);
  return sum_integer(sum, price->seat_category_id);
}

static uint64_t sum_performance(uint64_t sum, const struct performance *performance) {
  sum = sum_integer(sum, performance->event_id);
  sum = sum_integer(sum, performance->id);
  sum = sum_text_or_null(sum, &performance->logo);
  sum = sum_text_or_null(sum, &performance->name);
  sum = benchmark_sum_word(sum, performance->price_count);
  for (size_t i = 0; i < performance->price_count; i++)
    sum = sum_price(sum, &performance->prices[i]);
  sum = benchmark_sum_word(sum, performance->seat_category_count);
  for (size_t i = 0; i < performance->seat_category_count; i++)
    sum = sum_seat_category(sum, &performance->seat_categories[i]);
  sum = sum_text_or_null(sum, &performance->seat_map_image);
  sum = sum_integer(sum, performance->start);
  return sum_text(sum, &performance->venue_code);
}

static uint64_t sum_ring(uint64_t sum, const struct ring *ring) {
  sum = benchmark_sum_word(sum, ring->count);
  for (size_t i = 0; i < ring->count; i++) {
    sum = benchmark_sum_word(sum, ring->points[i].count);
    for (size_t j = 0; j < ring->points[i].count; j++)
      sum = benchmark_sum_double(sum, ring->points[i].numbers[j]);
  }
  return sum;
}

static uint64_t sum_polygon(uint64_t sum, const struct polygon *polygon) {
  sum = benchmark_sum_word(sum, polygon->count);
  for (size_t i = 0; i < polygon->count; i++) sum = sum_ring(sum, &polygon->rings[i]);
  return sum;
}

uint64_t benchmark_sum_list(benchmark_work work, const struct list *list) {
  uint64_t sum = benchmark_sum_word(benchmark_sum_start, list->count);
  for (size_t i = 0; i < list->count; i++) {
    switch (work) {
      case BENCHMARK_TWITTER: sum = sum_status(sum, (struct status *)list->items + i); break;
      case BENCHMARK_CITM: sum = sum_performance(sum, (struct performance *)list->items + i); break;
      case BENCHMARK_CANADA: sum = sum_polygon(sum, (struct polygon *)list->items + i); break;
      default: sum = benchmark_sum_user(sum, (struct user *)list->items + i);
    }
  }
  return sum;
}
