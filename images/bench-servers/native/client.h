/* The load generator: connections to one server, and windows of load on them. One thread. */
#ifndef CLIENT_H
#define CLIENT_H

#include "histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call and its reply, of equal length. Only a number, which is there twice, and a delay differ from call to call. */
struct frame {
    uint8_t *request;
    uint8_t *reply;
    size_t bytes;
    size_t sequence_at;
    size_t number_at;
    size_t delay_at;
    uint8_t quick; /* delay of calls that are answered at once */
    uint8_t slow;  /* delay of the others */
};

/* One connection, answered in order. What is to be sent is not stored: a request is made when it is written. */
struct connection {
    int fd;
    bool full;         /* the socket took only a part; an event follows when it takes more */
    uint64_t sent;     /* requests that were begun, including those that wait for the socket */
    uint64_t written;  /* of them, those that were written */
    size_t offset;     /* bytes of the next one that were written */
    uint64_t answered;
    size_t checked;    /* bytes of the next reply that were verified */
    uint64_t random;
    int64_t *since;    /* ring of the requests under way: when the time of each starts */
    uint8_t *delays;
};

struct client {
    struct frame frame;
    double share;        /* of calls that are slow */
    double share_turned; /* the same from half of a window on, if calls turn slow in it */
    size_t depth;
    size_t count;
    struct connection *connections;
    int epoll;
    int64_t stall;       /* longest time without a reply, in ns */

    /* The current window. Times are those of CLOCK_MONOTONIC in ns. */
    uint64_t sent;
    uint64_t answered;
    int64_t turn;        /* when calls turn slow, or INT64_MAX */
    int64_t turn_seen;   /* when the first reply arrived after it, or 0 */
    uint64_t before_turn;
    int64_t last_reply;
    struct histogram all;
    struct histogram quick;
    struct histogram late; /* delays in sending what was due */
};

/* Prints why there is no result, as the answer to the current order, and ends the process. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Opens a connection and watches it. Blocks until it is open. */
void connection_open(struct client *client, struct connection *connection, uint16_t port, uint64_t seed);

/* Begins a request whose time starts at a given one. connection_write() must follow. Fewer than depth may be under way. */
void connection_begin(struct client *client, struct connection *connection, int64_t since);

/* Writes what was begun, as far as the socket takes it: one system call for up to 64 KB of small requests, one for each large one. */
void connection_write(struct client *client, struct connection *connection);

/*
 * Reads and verifies what has arrived, every byte, and counts the times of replies. Returns the number of replies that ended; *now is
 * when the last was read. If the server has ended the connection, fails after that. One system call for up to 64 KB.
 */
size_t connection_read(struct client *client, struct connection *connection, bool ended, int64_t *now);

/* Sends load for a time, as its answers make room, and prints the result when all is answered. */
void window_closed(struct client *client, int64_t millis, bool turning);

/* Makes requests due at a constant rate for a time, and prints the result when all are answered. */
void window_open(struct client *client, int64_t millis, bool turning, double per_second);

int64_t clock_now(void);

#endif
