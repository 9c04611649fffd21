/*
 * The floor of the comparison: one thread that returns all bytes that it reads, with one read and one write each time. It knows nothing of
 * Thrift and runs no handler, so no server can do the same work at a lower cost. If a socket is full, it keeps the rest of what it has
 * read, and reads no more from that client until the rest is sent.
 *
 * Usage: floor BACKLOG
 *
 * It prints "ready PORT floor.c" and answers orders as every server of the comparison does; see ServerControl. It ends with its input.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 << 10, EVENTS = 256, ORDER_BYTES = 200 };

struct connection {
    int fd;
    uint8_t *rest; /* what the socket did not take, or NULL if that never happened */
    size_t at;
    size_t length;
};

static int epoll;
static uint64_t allocated;
static uint64_t marked;

_Noreturn static void fail(const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        fail("allocate memory");
    }
    allocated += bytes;
    return memory;
}

static void watch(int operation, int fd, uint32_t events, void *source) {
    struct epoll_event event = {.events = events, .data.ptr = source};
    if (epoll_ctl(epoll, operation, fd, &event) != 0) {
        fail("watch a socket");
    }
}

static void accept_one(int server) {
    int on = 1;
    int fd = accept4(server, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            fail("accept a connection");
        }
        return; /* the client has gone */
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *connection = allocate(sizeof *connection);
    connection->fd = fd;
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, connection);
}

static void end(struct connection *connection) {
    close(connection->fd);
    free(connection->rest);
    free(connection);
}

/* Keeps what the socket did not take, and waits until it does. */
static void keep(struct connection *connection, const uint8_t *bytes, size_t length) {
    if (connection->rest == NULL) {
        connection->rest = allocate(BUFFER_BYTES);
    }
    memcpy(connection->rest, bytes, length);
    connection->at = 0;
    connection->length = length;
    watch(EPOLL_CTL_MOD, connection->fd, EPOLLOUT, connection);
}

static void echo(struct connection *connection) {
    static uint8_t buffer[BUFFER_BYTES];
    ssize_t got = recv(connection->fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EAGAIN) {
        return;
    }
    ssize_t sent = got > 0 ? send(connection->fd, buffer, (size_t)got, MSG_NOSIGNAL) : 0;
    if (got <= 0 || (sent < 0 && errno != EAGAIN)) {
        end(connection);
    } else if (sent < got) {
        sent = sent < 0 ? 0 : sent;
        keep(connection, buffer + sent, (size_t)(got - sent));
    }
}

static void send_rest(struct connection *connection) {
    ssize_t sent = send(connection->fd, connection->rest + connection->at, connection->length - connection->at, MSG_NOSIGNAL);
    if (sent < 0) {
        if (errno != EAGAIN) {
            end(connection);
        }
        return;
    }
    connection->at += (size_t)sent;
    if (connection->at == connection->length) {
        connection->length = 0;
        watch(EPOLL_CTL_MOD, connection->fd, EPOLLIN, connection);
    }
}

static void obey(void) {
    char order[ORDER_BYTES];
    if (fgets(order, sizeof order, stdin) == NULL) {
        exit(EXIT_SUCCESS);
    }
    order[strcspn(order, "\n")] = '\0';
    if (strcmp(order, "mark") == 0) {
        marked = allocated;
        puts("ok");
    } else if (strcmp(order, "allocated") == 0) {
        printf("%llu\n", (unsigned long long)(allocated - marked));
    } else if (strcmp(order, "threads") == 0) {
        puts("1");
    } else {
        printf("unknown order %s\n", order);
    }
    fflush(stdout);
}

static int listen_on_loopback(int backlog) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, length) != 0 || listen(server, backlog) != 0 ||
        getsockname(server, (struct sockaddr *)&address, &length) != 0) {
        fail("listen");
    }
    printf("ready %d floor.c\n", ntohs(address.sin_port));
    fflush(stdout);
    return server;
}

int main(int count, char **arguments) {
    static char listener, orders; /* only their addresses are used */
    struct epoll_event events[EVENTS];
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) {
        fail("make an epoll instance");
    }
    setvbuf(stdin, NULL, _IONBF, 0); /* an order in a buffer would not be seen by epoll */
    int server = listen_on_loopback(count > 1 ? atoi(arguments[1]) : SOMAXCONN);
    watch(EPOLL_CTL_ADD, server, EPOLLIN, &listener);
    watch(EPOLL_CTL_ADD, STDIN_FILENO, EPOLLIN, &orders);
    while (1) {
        int ready = epoll_wait(epoll, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) {
            fail("wait");
        }
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (events[i].data.ptr == &orders) {
                obey();
            } else if (events[i].data.ptr == &listener) {
                accept_one(server);
            } else if (connection->length > 0) {
                send_rest(connection);
            } else {
                echo(connection);
            }
        }
    }
}
