/*
 * Sends load to a server of this machine. A closed loop sends a request when a reply has made room for it. An open loop sends it when it
 * is due, and counts its time from then on. Every byte of every reply is verified. It knows nothing of Thrift: it is given a call and its
 * reply, and the places of what differs from call to call.
 *
 * Usage: client PORT CONNECTIONS DEPTH STALL_SECONDS BYTES SEQUENCE_AT NUMBER_AT DELAY_AT SLOW_DELAY SHARE SHARE_TURNED
 *
 * Standard input has BYTES of a call without delay, BYTES of its reply, and then orders, one a line: "closed MILLIS TURNING" and
 * "open MILLIS TURNING PER_SECOND", with TURNING 1 if calls turn slow at half of the time. The answer to the frames is "ok", as soon as all
 * connections are open. That to an order is "ok", the number of replies in time and of all replies, the window's length, CPU time and run
 * delay in ns, replies per second since the turn, and the histograms of all times, of those without delay, and of what was sent late.
 * After "failed" and a reason it ends. It ends with its input, too.
 *
 * It costs one system call to wait, and one read and one write per batch of small replies of a connection.
 */
#include "client.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

enum { ARGUMENTS = 12, ORDER_BYTES = 200 };

void fail(const char *format, ...) {
    va_list values;
    fputs("failed ", stdout);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    fputc('\n', stdout);
    fflush(stdout);
    exit(EXIT_FAILURE);
}

static size_t count_of(const char *argument) { return strtoull(argument, NULL, 10); }

static uint8_t *frame_from_input(size_t bytes) {
    uint8_t *frame = malloc(bytes);
    if (frame == NULL || fread(frame, 1, bytes, stdin) != bytes) {
        fail("read a frame of %zu bytes: %s", bytes, frame == NULL ? strerror(errno) : "the input ended");
    }
    return frame;
}

static void connect_all(struct client *client, uint16_t port) {
    client->connections = calloc(client->count, sizeof *client->connections);
    client->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (client->connections == NULL || client->epoll < 0) {
        fail("make %zu connections: %s", client->count, strerror(errno));
    }
    for (size_t i = 0; i < client->count; i++) {
        /* Equal loads have equal random numbers. */
        connection_open(client, &client->connections[i], port, ((uint64_t)i << 32) + client->count * 31 + client->depth);
    }
}

static void obey(struct client *client, const char *order) {
    long long millis;
    int turning;
    double per_second;
    if (sscanf(order, "closed %lld %d", &millis, &turning) == 2) {
        window_closed(client, millis, turning != 0);
    } else if (sscanf(order, "open %lld %d %lf", &millis, &turning, &per_second) == 3) {
        window_open(client, millis, turning != 0, per_second);
    } else {
        fail("unknown order %s", order);
    }
}

int main(int count, char **arguments) {
    static struct client client;
    char order[ORDER_BYTES];
    if (count != ARGUMENTS) {
        fail("%d arguments, not %d", count - 1, ARGUMENTS - 1);
    }
    client.count = count_of(arguments[2]);
    client.depth = count_of(arguments[3]);
    client.stall = (int64_t)count_of(arguments[4]) * 1000000000;
    size_t bytes = count_of(arguments[5]);
    uint8_t *request = frame_from_input(bytes);
    uint8_t *reply = frame_from_input(bytes);
    client.frame = (struct frame){
        .bytes = bytes,
        .request = request,
        .reply = reply,
        .sequence_at = count_of(arguments[6]),
        .number_at = count_of(arguments[7]),
        .delay_at = count_of(arguments[8]),
        .slow = (uint8_t)count_of(arguments[9]),
    };
    client.frame.quick = client.frame.request[client.frame.delay_at];
    client.share = strtod(arguments[10], NULL);
    client.share_turned = strtod(arguments[11], NULL);
    connect_all(&client, (uint16_t)count_of(arguments[1]));
    puts("ok");
    fflush(stdout);
    while (fgets(order, sizeof order, stdin) != NULL) {
        order[strcspn(order, "\n")] = '\0';
        obey(&client, order);
    }
    return EXIT_SUCCESS;
}
