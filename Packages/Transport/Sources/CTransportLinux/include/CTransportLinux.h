#ifndef HOPE_CTRANSPORT_LINUX_H
#define HOPE_CTRANSPORT_LINUX_H

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// Declared here, since _GNU_SOURCE would give system types another shape than the one other modules see.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

// Linux calls that Swift's Glibc module does not show, in the shapes that the socket loop uses.

#define HOPE_EVENT_IN 1u
#define HOPE_EVENT_OUT 2u
#define HOPE_EVENT_HANGUP 4u

static inline int hope_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int hope_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void hope_eventfd_signal(int descriptor) {
    uint64_t one = 1;
    ssize_t ignored = write(descriptor, &one, sizeof one);
    (void)ignored;
}

static inline void hope_eventfd_clear(int descriptor) {
    uint64_t count;
    ssize_t ignored = read(descriptor, &count, sizeof count);
    (void)ignored;
}

/// Watches a descriptor for changes in both directions, edge-triggered.
static inline int hope_epoll_add(int epoll, int descriptor, uint64_t identifier) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.u64 = identifier}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/// Waits for at most `capacity` changes; `milliseconds` -1 waits for ever.
static inline int hope_epoll_wait(int epoll, uint64_t *identifiers, uint32_t *events, int capacity, int milliseconds) {
    struct epoll_event found[128];
    int count = epoll_wait(epoll, found, capacity < 128 ? capacity : 128, milliseconds);
    for (int index = 0; index < count; index++) {
        uint32_t flags = found[index].events;
        identifiers[index] = found[index].data.u64;
        events[index] = (flags & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR) ? HOPE_EVENT_IN : 0) |
                        (flags & (EPOLLOUT | EPOLLHUP | EPOLLERR) ? HOPE_EVENT_OUT : 0) |
                        (flags & (EPOLLRDHUP | EPOLLHUP | EPOLLERR) ? HOPE_EVENT_HANGUP : 0);
    }
    return count;
}

static inline int hope_socket_create(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int hope_socket_accept(int descriptor, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return accept4(descriptor, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int hope_socket_connect(int descriptor, const struct sockaddr_storage *address, socklen_t length) {
    return connect(descriptor, (const struct sockaddr *)address, length);
}

static inline int hope_socket_bind(int descriptor, const struct sockaddr_storage *address, socklen_t length) {
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->ss_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return bind(descriptor, (const struct sockaddr *)address, length);
}

static inline void hope_socket_send_at_once(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static inline int hope_socket_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

/// Makes closing discard what has not been sent and tell the other side at once.
static inline void hope_socket_reset_on_close(int descriptor) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

static inline ssize_t hope_socket_send(int descriptor, const void *bytes, size_t count, int more) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

static inline int hope_socket_own_address(int descriptor, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return getsockname(descriptor, (struct sockaddr *)address, &length);
}

/// Writes an address as a number, and returns its port, or -1.
static inline int hope_socket_address_text(const struct sockaddr_storage *address, char *text, int capacity) {
    socklen_t length = address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (getnameinfo((const struct sockaddr *)address, length, text, (socklen_t)capacity, 0, 0, NI_NUMERICHOST) != 0) {
        return -1;
    }
    return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                                               : ((const struct sockaddr_in *)address)->sin_port);
}

/// Looks up a host and writes at most `capacity` addresses; returns how many, or a negative code of getaddrinfo.
static inline int hope_resolve(const char *host, int port, int numeric, struct sockaddr_storage *addresses,
                               socklen_t *lengths, int capacity) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = numeric ? AI_NUMERICHOST : AI_ADDRCONFIG};
    struct addrinfo *list = 0;
    int result = getaddrinfo(host, 0, &hints, &list);
    if (result != 0) return result < 0 ? result : -result;
    int count = 0;
    for (struct addrinfo *entry = list; entry && count < capacity; entry = entry->ai_next) {
        if (entry->ai_family == AF_INET) {
            struct sockaddr_in *address = (struct sockaddr_in *)&addresses[count];
            *address = *(struct sockaddr_in *)entry->ai_addr;
            address->sin_port = htons((uint16_t)port);
        } else if (entry->ai_family == AF_INET6) {
            struct sockaddr_in6 *address = (struct sockaddr_in6 *)&addresses[count];
            *address = *(struct sockaddr_in6 *)entry->ai_addr;
            address->sin6_port = htons((uint16_t)port);
        } else {
            continue;
        }
        lengths[count++] = entry->ai_addrlen;
    }
    freeaddrinfo(list);
    return count;
}

/// Keeps signals away from the calling thread, so that they find the program's own handlers.
static inline void hope_thread_prepare(const char *name) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, 0);
    pthread_setname_np(pthread_self(), name);
}

#endif
