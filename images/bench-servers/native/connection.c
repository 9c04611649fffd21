#include "client.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = 64 << 10,
    COPY_BYTES = 4 << 10, /* longer requests are not gathered but written one by one */
    SHOWN_BYTES = 80,     /* of a wrong reply */
};

static uint8_t in[BUFFER_BYTES];
static uint8_t out[BUFFER_BYTES];

void connection_open(struct client *client, struct connection *connection, uint16_t port, uint64_t seed) {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    connection->random = seed;
    connection->since = calloc(client->depth, sizeof *connection->since);
    connection->delays = calloc(client->depth, sizeof *connection->delays);
    connection->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->since == NULL || connection->delays == NULL || connection->fd < 0) {
        fail("make a connection: %s", strerror(errno));
    }
    if (connect(connection->fd, (struct sockaddr *)&server, sizeof server) != 0) {
        fail("connect to port %d: %s", port, strerror(errno));
    }
    /* Edge-triggered, so that no call is needed to wait until a full socket takes more. */
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = connection};
    if (setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        fcntl(connection->fd, F_SETFL, O_NONBLOCK) != 0 || epoll_ctl(client->epoll, EPOLL_CTL_ADD, connection->fd, &event) != 0) {
        fail("watch a connection: %s", strerror(errno));
    }
}

/* Returns a number from 0 to 1, by splitmix64. */
static double random_share(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

void connection_begin(struct client *client, struct connection *connection, int64_t since) {
    size_t slot = connection->sent % client->depth;
    double share = since >= client->turn ? client->share_turned : client->share;
    bool slow = share >= 1 || (share > 0 && random_share(&connection->random) < share);
    connection->delays[slot] = slow ? client->frame.slow : client->frame.quick;
    connection->since[slot] = since;
    connection->sent++;
    client->sent++;
}

static void put_number(uint8_t *at, uint32_t number) {
    uint32_t big_endian = htonl(number);
    memcpy(at, &big_endian, sizeof big_endian);
}

/* Sets what differs from call to call. The bytes are valid until the next use of them. */
static const uint8_t *numbered(const struct client *client, uint8_t *bytes, const struct connection *connection, uint64_t call) {
    put_number(bytes + client->frame.sequence_at, (uint32_t)call);
    put_number(bytes + client->frame.number_at, (uint32_t)call);
    bytes[client->frame.delay_at] = connection->delays[call % client->depth];
    return bytes;
}

_Noreturn static void closed(const struct connection *connection, const char *why) {
    fail("the server closed a connection with %llu under way%s%s", (unsigned long long)(connection->sent - connection->answered),
         *why == '\0' ? "" : ": ", why);
}

void connection_write(struct client *client, struct connection *connection) {
    const struct frame *frame = &client->frame;
    while (!connection->full && connection->written < connection->sent) {
        const uint8_t *from;
        size_t length;
        if (frame->bytes > COPY_BYTES || connection->written + 1 == connection->sent) {
            from = numbered(client, frame->request, connection, connection->written) + connection->offset;
            length = frame->bytes - connection->offset;
        } else {
            size_t skip = connection->offset;
            length = 0;
            for (uint64_t call = connection->written; call < connection->sent && length + frame->bytes <= sizeof out; call++) {
                memcpy(out + length, numbered(client, frame->request, connection, call) + skip, frame->bytes - skip);
                length += frame->bytes - skip;
                skip = 0;
            }
            from = out;
        }
        ssize_t taken = send(connection->fd, from, length, MSG_NOSIGNAL);
        if (taken < 0 && errno != EAGAIN) {
            closed(connection, strerror(errno));
        }
        connection->offset += taken > 0 ? (size_t)taken : 0;
        connection->written += connection->offset / frame->bytes;
        connection->offset %= frame->bytes;
        connection->full = taken < (ssize_t)length;
    }
}

/* Prints the first byte that is wrong, and the text in the reply, because it may be that of an exception. */
_Noreturn static void wrong(const struct client *client, const struct connection *connection, const uint8_t *bytes, size_t length) {
    const uint8_t *expected = client->frame.reply + connection->checked;
    size_t at = 0;
    while (bytes[at] == expected[at]) {
        at++;
    }
    char text[SHOWN_BYTES + 1];
    size_t shown = 0;
    for (; shown < SHOWN_BYTES && shown < length; shown++) {
        text[shown] = isprint(bytes[shown]) ? (char)bytes[shown] : '.';
    }
    text[shown] = '\0';
    fail("wrong reply: byte %zu of %zu is %02x, not %02x: %s", connection->checked + at, client->frame.bytes, bytes[at], expected[at],
         text);
}

static void record(struct client *client, struct connection *connection, int64_t now) {
    size_t slot = connection->answered % client->depth;
    int64_t took = now - connection->since[slot];
    histogram_record(&client->all, took);
    if (connection->delays[slot] == client->frame.quick) {
        histogram_record(&client->quick, took);
    }
    connection->answered++;
    client->answered++;
}

/* Verifies bytes of replies. Returns how many replies ended in them. */
static size_t verify(struct client *client, struct connection *connection, const uint8_t *bytes, size_t length, int64_t now) {
    const struct frame *frame = &client->frame;
    size_t replies = 0;
    while (length > 0) {
        if (connection->answered == connection->sent) {
            fail("wrong reply: nothing was asked");
        }
        size_t piece = (size_t)smaller((int64_t)(frame->bytes - connection->checked), (int64_t)length);
        const uint8_t *expected = numbered(client, frame->reply, connection, connection->answered) + connection->checked;
        if (memcmp(bytes, expected, piece) != 0) {
            wrong(client, connection, bytes, length);
        }
        bytes += piece;
        length -= piece;
        connection->checked += piece;
        if (connection->checked == frame->bytes) {
            record(client, connection, now);
            connection->checked = 0;
            replies++;
        }
    }
    return replies;
}

size_t connection_read(struct client *client, struct connection *connection, bool ended, int64_t *now) {
    size_t replies = 0;
    ssize_t got;
    do {
        got = recv(connection->fd, in, sizeof in, 0);
        if (got < 0 && errno == EAGAIN) {
            break;
        }
        if (got <= 0) {
            closed(connection, got < 0 ? strerror(errno) : "");
        }
        *now = clock_now();
        if (client->turn_seen == 0 && *now >= client->turn) {
            client->turn_seen = *now;
            client->before_turn = client->answered;
        }
        replies += verify(client, connection, in, (size_t)got, *now);
        /* A part of the buffer is all that there was, but the end of the connection may follow without an event of its own. */
    } while ((size_t)got == sizeof in || ended);
    return replies;
}
