// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a contender in C++ does with a document. `Rival::with_model<Model>(bytes, length, body)` decodes once, hands the
// model to `body`, and fails by an exception.

#ifndef RIVAL_CONTENDER_HPP
#define RIVAL_CONTENDER_HPP

#include <exception>

#include "models.hpp"

namespace {

template <typename Rival>
struct Contender {
  template <typename Body>
  static void with_models(benchmark_work work, const char *bytes, size_t length, size_t times,
                          const Body &body) {
    for (size_t i = 0; i < times; i++) {
      switch (work) {
        case BENCHMARK_TINY: Rival::template with_model<User>(bytes, length, body); break;
        case BENCHMARK_TWITTER: Rival::template with_model<Twitter>(bytes, length, body); break;
        case BENCHMARK_CITM: Rival::template with_model<Citm>(bytes, length, body); break;
        case BENCHMARK_CANADA: Rival::template with_model<Canada>(bytes, length, body); break;
        case BENCHMARK_USERS:
          Rival::template with_model<std::vector<User>>(bytes, length, body);
          break;
      }
    }
  }

  static int decode(benchmark_work work, const char *bytes, size_t length, size_t times,
                    void (*held)(void *context), void *context) try {
    with_models(work, bytes, length, times, [=](const auto &model) {
      benchmark_keep(&model);
      if (held) held(context);
    });
    return 0;
  } catch (const std::exception &) {
    return -1;
  }

  static int checksum(benchmark_work work, const char *bytes, size_t length, uint64_t *sum) try {
    with_models(work, bytes, length, 1, [=](const auto &model) {
      Sum fields;
      fields.add(model);
      *sum = fields.state;
    });
    return 0;
  } catch (const std::exception &) {
    return -1;
  }
};

}  // namespace

#endif
