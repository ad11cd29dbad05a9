/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * A service on libmicrohttpd. POST /user returns what it understood, or what is wrong:
 *
 *     {"id": 5, "name": "Tester"}    200  {"id":5,"name":"Tester"}
 *     {"id": "5", "name": "Tester"}  422  {"code":201,"name":"type mismatch","path":"/id",…}
 *     {"id": 5,}                     400  {"code":101,"name":"unexpected byte",…}
 *
 * POST /users takes a body of any length, a user a line, and decodes each line as it comes in. It returns the errors of
 * the first lines that are wrong, with their lines and bytes in the body, and then how many there were:
 *
 *     {"id": 5, "name": "Tester"}    422  {"code":201,…,"location":{"offset":35,"line":2,"column":8},…}
 *     {"id": "6", "name": "Ann"}          {"understood":1,"refused":1}
 *
 *     service [PORT [THREADS]]       on the loopback interface; port 0, the default, is any free one
 *
 * Its first line of output is the address. SIGTERM and SIGINT end it; then it prints what it did.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <decant.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "user.h"

enum { MAXIMUM_BODY = 1 << 20, MAXIMUM_LINE = 1 << 16, MAXIMUM_ERRORS = 10 };

/* -------------------------------------------------------------------------------------------------
 * Text that grows
 */

struct text {
  char *bytes;
  size_t length;
  size_t capacity;
  bool has_failed; /* there was no memory */
};

/* Makes space for so many bytes more; false if there is no memory. */
static bool reserve(struct text *text, size_t length) {
  if (text->length + length <= text->capacity) return true;
  size_t capacity = (text->length + length) * 2 + 256;
  char *larger = realloc(text->bytes, capacity);
  if (larger == NULL) {
    text->has_failed = true;
    return false;
  }
  text->bytes = larger;
  text->capacity = capacity;
  return true;
}

static void add(struct text *text, const char *bytes, size_t length) {
  if (!reserve(text, length)) return;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

static void add_literal(struct text *text, const char *literal) {
  add(text, literal, strlen(literal));
}

/* A user as JSON: most fit where they are written first. */
static decant_status add_user(struct text *text, const struct decant_user *user,
                              decant_error *error) {
  decant_status status = DECANT_BUFFER_TOO_SMALL;
  size_t length = 255;
  while (status == DECANT_BUFFER_TOO_SMALL && reserve(text, length + 1)) {
    status = encode_user(user, text->bytes + text->length, text->capacity - text->length, &length,
                         error);
  }
  if (status != DECANT_OK) return status;
  text->length += length;
  add_literal(text, "\n");
  return DECANT_OK;
}

static void add_error(struct text *text, const decant_error *error) {
  char json[4096];
  size_t length = decant_error_json(error, json, sizeof json);
  if (length < sizeof json) {
    add(text, json, length);
  } else {
    snprintf(json, sizeof json, "{\"code\":%" PRId32 "}", error->code);
    add_literal(text, json);
  }
  add_literal(text, "\n");
}

/* -------------------------------------------------------------------------------------------------
 * Decoding
 */

static struct { atomic_ullong understood, refused, nanoseconds; } counts;

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The status of HTTP for an error, by its category. */
static unsigned status_of(const decant_error *error) {
  switch (error->code / 100) {
    case 2: return MHD_HTTP_UNPROCESSABLE_CONTENT; /* JSON, but no user */
    case 3: return MHD_HTTP_CONTENT_TOO_LARGE;
    case 5: return MHD_HTTP_SERVICE_UNAVAILABLE;
    default: return MHD_HTTP_BAD_REQUEST;
  }
}

/* Writes the answer to a body, and returns its status. */
static unsigned answer_user(const struct text *body, struct text *answer) {
  struct decant_user user;
  decant_error error = DECANT_ERROR_INIT;
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  decant_status status = decode_user(body->bytes, body->length, &user, &error);
  atomic_fetch_add(&counts.nanoseconds, now(CLOCK_THREAD_CPUTIME_ID) - start);
  if (status != DECANT_OK) {
    atomic_fetch_add(&counts.refused, 1);
    add_error(answer, &error);
    return status_of(&error);
  }
  atomic_fetch_add(&counts.understood, 1);
  status = add_user(answer, &user, &error);
  user_free(&user);
  /* What was decoded can be written. */
  if (status != DECANT_OK) add_error(answer, &error);
  return status == DECANT_OK ? MHD_HTTP_OK : MHD_HTTP_INTERNAL_SERVER_ERROR;
}

/* -------------------------------------------------------------------------------------------------
 * Decoding lines
 */

struct line_user {
  int64_t id;
  const char *name;
  const char *email;
  void *storage;
};

static const decant_field line_fields[] = {
    DECANT_FIELD(struct line_user, id), DECANT_FIELD(struct line_user, name),
    DECANT_FIELD(struct line_user, email, .flags = DECANT_OPTIONAL)};
static const decant_record line_record = DECANT_TABLE(
    struct line_user, line_fields, .storage_offset = offsetof(struct line_user, storage));

/* A request: the body as far as it came, or the stream that decodes it. */
struct request {
  struct text body;
  decant_lines *lines;
  struct text answer; /* of a stream */
  uint64_t understood, refused;
};

static int take_line(void *context, int64_t line, const void *value, const decant_error *error) {
  struct request *request = context;
  (void)line;
  if (value != NULL) {
    request->understood++;
  } else if (request->refused++ < MAXIMUM_ERRORS) {
    add_error(&request->answer, error);
  }
  return 0;
}

static bool open_stream(struct request *request) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.maximum_bytes = MAXIMUM_LINE;
  return decant_lines_open(&line_record, &options, &request->lines, NULL) == DECANT_OK;
}

/* Decodes the lines that end in a part of the body. */
static void feed_stream(struct request *request, const char *part, size_t length) {
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  decant_lines_feed(request->lines, part, length, take_line, request, NULL);
  atomic_fetch_add(&counts.nanoseconds, now(CLOCK_THREAD_CPUTIME_ID) - start);
}

static unsigned answer_stream(struct request *request) {
  decant_lines_finish(request->lines, take_line, request, NULL);
  char counted[96];
  snprintf(counted, sizeof counted, "{\"understood\":%" PRIu64 ",\"refused\":%" PRIu64 "}\n",
           request->understood, request->refused);
  add_literal(&request->answer, counted);
  atomic_fetch_add(&counts.understood, request->understood);
  atomic_fetch_add(&counts.refused, request->refused);
  return request->refused == 0 ? MHD_HTTP_OK : MHD_HTTP_UNPROCESSABLE_CONTENT;
}

/* -------------------------------------------------------------------------------------------------
 * HTTP
 */

/* Answers, and takes the text's memory. */
static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
                               struct text *text) {
  if (text->has_failed) {
    free(text->bytes);
    return MHD_NO; /* closes the connection */
  }
  struct MHD_Response *response = MHD_create_response_from_buffer(
      text->length, text->bytes,
      text->bytes == NULL ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
  if (response == NULL) {
    free(text->bytes);
    return MHD_NO;
  }
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

/* Called for a request's head, for each part of its body, and at its end. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *part,
                              size_t *part_length, void **state) {
  (void)context;
  (void)version;
  struct request *request = *state;
  if (request == NULL) {
    *state = request = calloc(1, sizeof *request);
    if (request == NULL) return MHD_NO;
    const bool is_stream = strcmp(url, "/users") == 0 && strcmp(method, "POST") == 0;
    return !is_stream || open_stream(request) ? MHD_YES : MHD_NO;
  }
  struct text *body = &request->body;
  if (*part_length > 0) {
    /* What is too long is read to its end, but not kept. */
    size_t length = *part_length;
    *part_length = 0;
    if (request->lines != NULL) {
      feed_stream(request, part, length);
      return request->answer.has_failed ? MHD_NO : MHD_YES;
    }
    if (body->length <= MAXIMUM_BODY) add(body, part, length);
    return body->has_failed ? MHD_NO : MHD_YES;
  }
  struct text answer = {NULL, 0, 0, false};
  unsigned status;
  if (request->lines != NULL) {
    status = answer_stream(request);
    answer = request->answer;
    request->answer = (struct text){NULL, 0, 0, false};
  } else if (strcmp(url, "/user") != 0) {
    status = MHD_HTTP_NOT_FOUND;
  } else if (strcmp(method, "POST") != 0) {
    status = MHD_HTTP_METHOD_NOT_ALLOWED;
  } else if (body->length > MAXIMUM_BODY) {
    status = MHD_HTTP_CONTENT_TOO_LARGE;
  } else {
    status = answer_user(body, &answer);
  }
  return respond(connection, status, &answer);
}

static void forget(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code) {
  (void)context;
  (void)connection;
  (void)code;
  struct request *request = *state;
  if (request == NULL) return;
  decant_lines_close(request->lines);
  free(request->body.bytes);
  free(request->answer.bytes);
  free(request);
}

/* -------------------------------------------------------------------------------------------------
 * Main
 */

static struct MHD_Daemon *start(uint16_t port, unsigned threads) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, port, NULL, NULL, handle, NULL,
                          MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
                          MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_NOTIFY_COMPLETED, forget,
                          NULL, MHD_OPTION_END);
}

/* Whether a word is a number in a range. */
static bool is_number(const char *word, unsigned long least, unsigned long most,
                      unsigned long *number) {
  char *end;
  *number = strtoul(word, &end, 10);
  return *word >= '0' && *word <= '9' && *end == 0 && *number >= least && *number <= most;
}

int main(int count, char **words) {
  unsigned long port = 0, threads = 2;
  if (count > 3 || (count > 1 && !is_number(words[1], 0, UINT16_MAX, &port)) ||
      (count > 2 && !is_number(words[2], 1, 256, &threads))) {
    fprintf(stderr, "usage: service [PORT [THREADS]]\n");
    return 2;
  }

  /* Also for the threads of the daemon: the signals wait for sigwait(). */
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, NULL);

  struct MHD_Daemon *daemon = start((uint16_t)port, (unsigned)threads);
  if (daemon == NULL) {
    fprintf(stderr, "service: cannot listen on port %lu\n", port);
    return 2;
  }
  printf("http://127.0.0.1:%u\n",
         (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  int received;
  sigwait(&ends, &received);
  MHD_stop_daemon(daemon);

  unsigned long long understood = counts.understood, refused = counts.refused;
  unsigned long long all = understood + refused;
  if (all > 0) {
    double decoding = (double)counts.nanoseconds;
    double processor = (double)now(CLOCK_PROCESS_CPUTIME_ID);
    printf("understood %llu, refused %llu\n", understood, refused);
    printf("decoding took %.0f ns a document, %.1f %% of the processor's time\n",
           decoding / (double)all, 100 * decoding / processor);
  }
  return 0;
}
