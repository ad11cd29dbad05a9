/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The example program in C: decodes documents into structs and prints them.
 *
 *     main [users|restaurants|places|events] [FILE|-]
 *
 * Exit status: 0, 1 if the document is wrong, 2 if it cannot be read.
 */
#include <decant.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "place.h"
#include "restaurant.h"
#include "user.h"

/* How many rows of a list are printed. */
enum { LONGEST = 12 };

/* -------------------------------------------------------------------------------------------------
 * Reading
 */

struct document {
  const char *name;
  char *bytes;
  size_t length;
};

/* Reads all of a stream. Returns false, with errno set, if that fails. */
static bool read_all(FILE *stream, struct document *document) {
  size_t capacity = 0;
  for (;;) {
    if (document->length == capacity) {
      capacity = capacity == 0 ? 1 << 16 : capacity * 2;
      char *bytes = realloc(document->bytes, capacity);
      if (bytes == NULL) return false;
      document->bytes = bytes;
    }
    size_t wanted = capacity - document->length;
    size_t count = fread(document->bytes + document->length, 1, wanted, stream);
    document->length += count;
    if (count < wanted) return !ferror(stream);
  }
}

/* Reads a file, or standard input for "-". On failure says so. */
static bool read_document(const char *path, struct document *document) {
  bool is_input = strcmp(path, "-") == 0;
  *document = (struct document){is_input ? "standard input" : path, NULL, 0};
  FILE *stream = is_input ? stdin : fopen(path, "rb");
  bool is_read = stream != NULL && read_all(stream, document);
  if (!is_read) fprintf(stderr, "cannot read %s: %s\n", document->name, strerror(errno));
  if (stream != NULL && !is_input) fclose(stream);
  return is_read;
}

/* -------------------------------------------------------------------------------------------------
 * Printing
 */

/* Says what is wrong, a line an error, and returns the exit status for it. */
static int complain(const struct document *document, const decant_error *error) {
  fflush(stdout);
  fprintf(stderr, "%s: %s\n%s\n", document->name, decant_status_name(error->code), error->message);
  return 1;
}

/* Prints a string, which may have NUL bytes inside, without the control characters. */
static void print_text(const char *text, size_t length) {
  for (size_t place = 0; place < length; place++) {
    unsigned char byte = (unsigned char)text[place];
    putchar(byte < 0x20 || byte == 0x7F ? ' ' : byte);
  }
}

static void print_end(size_t count, const char *noun) {
  if (count > LONGEST) printf("  ... and %zu more\n", count - LONGEST);
  printf("  %zu %s%s\n", count, noun, count == 1 ? "" : "s");
}

static void print_user(const struct decant_user *user) {
  printf(" %" PRId64 ": ", user->id);
  print_text(user->name, user->name_length);
  printf(" <");
  if (user->email == NULL) {
    printf("no email");
  } else {
    print_text(user->email, user->email_length);
  }
  printf(">\n");
}

/* -------------------------------------------------------------------------------------------------
 * Documents
 */

static int show_users(const struct document *document) {
  decant_error error = DECANT_ERROR_INIT;
  decant_error list_error = DECANT_ERROR_INIT;

  struct decant_user user;
  if (decode_user(document->bytes, document->length, &user, &error) == DECANT_OK) {
    printf(" ");
    print_user(&user);
    user_free(&user);
    return 0;
  }

  struct decant_users users;
  if (decode_users(document->bytes, document->length, &users, &list_error) == DECANT_OK) {
    for (size_t place = 0; place < users.count && place < LONGEST; place++) {
      printf(" ");
      print_user(&users.items[place]);
    }
    print_end(users.count, "user");
    users_free(&users);
    return 0;
  }

  /* Neither. If there is no list at all, then it is the one user that is wrong. */
  bool has_no_list =
      list_error.code == DECANT_MISSING_KEY && strcmp(list_error.path, "/users") == 0;
  return complain(document, has_no_list ? &error : &list_error);
}

static int show_restaurants(const struct document *document) {
  decant_error error = DECANT_ERROR_INIT;
  struct decant_restaurant_page page;
  if (decode_restaurant_page(document->bytes, document->length, &page, &error) != DECANT_OK) {
    return complain(document, &error);
  }
  for (size_t place = 0; place < page.results_length && place < LONGEST; place++) {
    const struct decant_restaurant *restaurant = &page.results[place];
    printf("  ");
    print_text(restaurant->name, restaurant->name_length);
    printf(" at %g, %g:%s%s%s%s\n", restaurant->location.latitude, restaurant->location.longitude,
           restaurant->meals & DECANT_MEAL_BREAKFAST ? " breakfast" : "",
           restaurant->meals & DECANT_MEAL_LUNCH ? " lunch" : "",
           restaurant->meals & DECANT_MEAL_DINNER ? " dinner" : "",
           restaurant->meals == 0 ? " no meals" : "");
  }
  print_end(page.results_length, "restaurant");
  restaurant_page_free(&page);
  return 0;
}

static int show_places(const struct document *document) {
  decant_error error = DECANT_ERROR_INIT;
  struct decant_places places;
  if (decode_places(document->bytes, document->length, &places, &error) != DECANT_OK) {
    return complain(document, &error);
  }
  for (size_t index = 0; index < places.count && index < LONGEST; index++) {
    const struct decant_place *place = &places.items[index];
    printf("  %6" PRId64 " photos of ", place->photo_count);
    print_text(place->content, place->content_length);
    printf(" (");
    print_text(place->time_zone, place->time_zone_length);
    printf(")\n");
  }
  print_end(places.count, "place");
  places_free(&places);
  return 0;
}

static void print_event(const struct decant_event *event) {
  printf("  ");
  print_text(event->time, event->time_length);
  switch (event->kind) {
    case DECANT_EVENT_SIGNUP:
      printf(" signup of");
      print_user(event->user);
      return;
    case DECANT_EVENT_VIEW:
      printf(" view by %" PRId64 ": ", event->user_id);
      print_text(event->path, event->path_length);
      break;
    case DECANT_EVENT_PURCHASE:
      printf(" purchase by %" PRId64 ", %g:", event->user_id, event->total);
      for (size_t place = 0; place < event->items_length; place++) {
        printf(" %" PRId64 " ", event->items[place].quantity);
        print_text(event->items[place].name, event->items[place].name_length);
      }
      break;
    default:
      printf(" ");
      print_text(event->kind_name, event->kind_name_length);
      printf(", kept as it came, %zu bytes", event->rest_length);
  }
  printf("\n");
}

struct walk {
  const struct document *document;
  size_t count;
  int status;
};

/* Called for every line; ends the stream at the first that is wrong. */
static int show_event(void *context, int64_t line, const struct decant_event *event,
                      const decant_error *error) {
  struct walk *walk = context;
  if (event == NULL) {
    fprintf(stderr, "in line %" PRId64 ", ", line);
    walk->status = complain(walk->document, error);
  } else if (++walk->count <= LONGEST) {
    print_event(event);
  }
  return walk->status;
}

static int show_events(const struct document *document) {
  struct walk walk = {document, 0, 0};
  decant_error error = DECANT_ERROR_INIT;
  if (decode_event_lines(document->bytes, document->length, show_event, &walk, &error) !=
      DECANT_OK) {
    return complain(document, &error);
  }
  if (walk.status == 0) print_end(walk.count, "event");
  return walk.status;
}

/* -------------------------------------------------------------------------------------------------
 * Main
 */

static const struct {
  const char *name;
  int (*show)(const struct document *document);
} kinds[] = {
    {"users", show_users},
    {"restaurants", show_restaurants},
    {"places", show_places},
    {"events", show_events},
};

int main(int count, char **words) {
  int (*show)(const struct document *) = count > 2 ? NULL : show_users;
  for (size_t place = 0; count == 3 && place < sizeof kinds / sizeof *kinds; place++) {
    if (strcmp(words[1], kinds[place].name) == 0) show = kinds[place].show;
  }
  if (show == NULL) {
    fprintf(stderr, "usage: %s [users|restaurants|places|events] [FILE|-]\n", words[0]);
    return 2;
  }

  struct document document;
  int status = 2;
  if (read_document(count > 1 ? words[count - 1] : "-", &document)) status = show(&document);
  free(document.bytes);
  return status;
}
