#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define MILLI INT64_C(1000000)
#define SECOND INT64_C(1000000000)

enum { EVENTS = 256 };

/* epoll's timeouts are in milliseconds and end late, so shorter waits poll. */
static const int64_t POLL = 2 * MILLI;

/* The thread's usage at one time. */
struct usage {
    int64_t at;
    int64_t cpu;
    double waited; /* runnable without a core, or NAN */
};

/* What was used and done in a window, without the replies after its end. */
struct in_time {
    int64_t elapsed;
    int64_t cpu;
    double waited;
    double turned_rate; /* replies per second since the turn, or NAN */
    uint64_t answered;
};

/* Connections, each once for every request that may be sent on it: the one that is free longest is the first. */
struct queue {
    struct connection **slots;
    size_t size;
    size_t first;
    size_t count;
    int64_t since; /* when one became free after none was */
};

static int64_t nanos(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

int64_t clock_now(void) { return nanos(CLOCK_MONOTONIC); }

/* Returns how long this thread has been runnable without a core, or NAN if the kernel does not report it. */
static double run_delay(void) {
    char text[100] = "";
    uint64_t waited;
    int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    return length > 0 && sscanf(text, "%*u %" SCNu64, &waited) == 1 ? (double)waited : NAN;
}

static struct usage window_begin(struct client *client, int64_t millis, bool turning) {
    histogram_reset(&client->all);
    histogram_reset(&client->quick);
    histogram_reset(&client->late);
    client->sent = 0;
    client->answered = 0;
    struct usage start;
    start.waited = run_delay();
    start.cpu = nanos(CLOCK_THREAD_CPUTIME_ID);
    start.at = clock_now();
    client->turn = turning ? start.at + millis * MILLI / 2 : INT64_MAX;
    client->turn_seen = 0;
    client->last_reply = start.at;
    return start;
}

static struct in_time window_end(const struct client *client, const struct usage *start) {
    int64_t now = clock_now();
    int64_t turned = client->turn_seen == 0 ? 0 : now - client->turn_seen;
    struct in_time in_time = {.elapsed = now - start->at, .answered = client->answered, .turned_rate = NAN};
    in_time.cpu = nanos(CLOCK_THREAD_CPUTIME_ID) - start->cpu;
    in_time.waited = run_delay() - start->waited;
    if (turned > 0) {
        in_time.turned_rate = (double)(client->answered - client->before_turn) * SECOND / (double)turned;
    }
    return in_time;
}

static void print_number(double number) {
    if (isnan(number)) {
        fputs(" NaN", stdout);
    } else {
        printf(" %.3f", number);
    }
}

static void print_result(const struct client *client, const struct in_time *in_time) {
    printf("ok %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64, in_time->answered, client->answered, in_time->elapsed, in_time->cpu);
    print_number(in_time->waited);
    print_number(in_time->turned_rate);
    fputc(' ', stdout);
    histogram_print(&client->all, stdout);
    fputc(' ', stdout);
    histogram_print(&client->quick, stdout);
    fputc(' ', stdout);
    histogram_print(&client->late, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

/* Sends as many requests as may be under way. */
static void fill(struct client *client, struct connection *connection, int64_t now) {
    while (connection->sent - connection->answered < client->depth) {
        connection_begin(client, connection, now);
    }
    connection_write(client, connection);
}

static void release(struct queue *queue, struct connection *connection, size_t count, int64_t now) {
    if (queue->count == 0) {
        queue->since = now;
    }
    for (; count > 0; count--) {
        queue->slots[(queue->first + queue->count++) % queue->size] = connection;
    }
}

static void handle(struct client *client, struct connection *connection, uint32_t events, bool filling, struct queue *queue) {
    if (events & EPOLLOUT) {
        connection->full = false;
        connection_write(client, connection);
    }
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        int64_t now = 0;
        size_t replies = connection_read(client, connection, (events & EPOLLRDHUP) != 0, &now);
        if (replies > 0 && filling) {
            fill(client, connection, now);
        } else if (replies > 0 && queue != NULL) {
            release(queue, connection, replies, now);
        }
    }
}

/*
 * Handles what is ready, and returns the time afterwards. Waits for at most so many ms; 0 polls once, and yields the processor if nothing
 * is ready. A closed loop sends requests in place of those that were answered if it is filling; an open loop passes its queue.
 */
static int64_t turn(struct client *client, int64_t wait, bool filling, struct queue *queue) {
    struct epoll_event events[EVENTS];
    uint64_t before = client->answered;
    int count = epoll_wait(client->epoll, events, EVENTS, (int)smaller(wait, 1000));
    if (count < 0 && errno != EINTR) {
        fail("wait for replies: %s", strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        handle(client, events[i].data.ptr, events[i].events, filling, queue);
    }
    if (count == 0 && wait == 0) {
        sched_yield();
    }
    int64_t now = clock_now();
    if (client->answered > before) {
        client->last_reply = now;
    } else if (now - client->last_reply > client->stall) {
        fail("no reply for %" PRId64 " s on %zu connections of depth %zu", client->stall / SECOND, client->count, client->depth);
    }
    return now;
}

void window_closed(struct client *client, int64_t millis, bool turning) {
    struct usage start = window_begin(client, millis, turning);
    int64_t deadline = start.at + millis * MILLI;
    for (size_t i = 0; i < client->count; i++) {
        fill(client, &client->connections[i], clock_now());
    }
    for (int64_t now = clock_now(); now < deadline;) {
        now = turn(client, larger(1, (deadline - now) / MILLI), true, NULL);
    }
    struct in_time in_time = window_end(client, &start);
    while (client->answered < client->sent) {
        turn(client, 1000, false, NULL);
    }
    print_result(client, &in_time);
}

/* Sends requests that are due, as long as connections are free. */
static void send_due(struct client *client, struct queue *queue, int64_t start, double interval, uint64_t total, int64_t now) {
    while (client->sent < total && queue->count > 0) {
        int64_t due = start + (int64_t)((double)client->sent * interval);
        if (due > now) {
            return;
        }
        struct connection *connection = queue->slots[queue->first];
        queue->first = (queue->first + 1) % queue->size;
        queue->count--;
        /* A request that waited for a connection is late by the server, not by this process. */
        histogram_record(&client->late, larger(0, now - larger(due, queue->since)));
        connection_begin(client, connection, due);
        connection_write(client, connection);
    }
}

void window_open(struct client *client, int64_t millis, bool turning, double per_second) {
    if (!(per_second > 0)) {
        fail("no open loop at %g requests per second", per_second);
    }
    uint64_t total = (uint64_t)larger(1, (int64_t)(per_second * (double)millis / 1000));
    double interval = SECOND / per_second;
    size_t size = client->count * client->depth;
    struct queue free_ones = {.slots = calloc(size, sizeof(struct connection *)), .size = size};
    if (free_ones.slots == NULL) {
        fail("make an open loop: %s", strerror(errno));
    }
    struct usage start = window_begin(client, millis, turning);
    for (size_t i = 0; i < size; i++) {
        release(&free_ones, &client->connections[i % client->count], 1, start.at);
    }
    int64_t deadline = start.at + millis * MILLI;
    struct in_time in_time = {0};
    bool ended = false;
    for (int64_t now = start.at; client->answered < total || !ended;) {
        if (!ended && now >= deadline) {
            in_time = window_end(client, &start);
            ended = true;
        }
        send_due(client, &free_ones, start.at, interval, total, now);
        if (client->sent == client->answered) {
            client->last_reply = now; /* nothing is under way, so the lack of replies is no stall */
        }
        int64_t next = ended ? now + client->stall : deadline;
        if (client->sent < total && free_ones.count > 0) {
            next = start.at + (int64_t)((double)client->sent * interval);
        }
        int64_t wait = next - now;
        now = turn(client, wait < POLL ? 0 : larger(1, wait / MILLI - 1), false, &free_ones);
    }
    free(free_ones.slots);
    print_result(client, &in_time);
}
