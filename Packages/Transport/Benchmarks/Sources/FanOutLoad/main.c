// The same load for room servers and for MQTT brokers: one sender, many receivers that only count bytes, in one thread,
// so that what is measured is the server.
//
//     FanOutLoad rooms|reliable|mqtt PORT RECEIVERS BYTES MESSAGES
//         prints how many messages a second reached a receiver, all receivers together
//     FanOutLoad idle PORT CONNECTIONS
//         joins rooms of two, prints a line, and keeps the connections until its input ends
//
// The sender is never more than a window ahead of the slowest receiver, so that nobody has a reason to drop anything.
#define _GNU_SOURCE
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
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, TOPIC = 5 };

static char scratch[1 << 20];

static void die(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int dial(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) die("socket");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

static void put(int descriptor, const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        ssize_t written = send(descriptor, rest, count, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) die("send");
        rest += written;
        count -= written;
    }
}

static void get(int descriptor, void *bytes, size_t count) {
    char *rest = bytes;
    while (count > 0) {
        ssize_t received = recv(descriptor, rest, count, 0);
        if (received <= 0) die("receive");
        rest += received;
        count -= received;
    }
}

static const uint8_t mask[4] = {0x37, 0xFA, 0x21, 0x3D};

// The head of a client's frame.
static size_t frame_head(uint8_t *bytes, int opcode, size_t length) {
    size_t at = 0;
    bytes[at++] = 0x80 | opcode;
    if (length < 126) {
        bytes[at++] = 0x80 | length;
    } else {
        bytes[at++] = 0x80 | 126;
        bytes[at++] = length >> 8;
        bytes[at++] = length;
    }
    memcpy(bytes + at, mask, 4);
    return at + 4;
}

static void apply_mask(uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) bytes[index] ^= mask[index & 3];
}

static void join_room(int descriptor, const char *room, const char *identity) {
    static const char hello[] = "{\"type\":\"hello\",\"version\":1,\"client\":\"load\"}";
    int count = snprintf(
        scratch, sizeof scratch,
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer %s/%s\r\n\r\n",
        room, identity);
    put(descriptor, scratch, count);
    for (size_t at = 0; at < 4 || memcmp(scratch + at - 4, "\r\n\r\n", 4) != 0; at++) get(descriptor, scratch + at, 1);
    if (strncmp(scratch, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "the room server refuses: %.40s\n", scratch);
        exit(1);
    }
    uint8_t frame[128];
    size_t head = frame_head(frame, 1, sizeof hello - 1);
    memcpy(frame + head, hello, sizeof hello - 1);
    apply_mask(frame + head, sizeof hello - 1);
    put(descriptor, frame, head + sizeof hello - 1);
    // The welcome, whose frame is not masked.
    uint8_t start[4];
    get(descriptor, start, 2);
    size_t length = start[1];
    if (length == 126) {
        get(descriptor, start, 2);
        length = start[0] << 8 | start[1];
    }
    get(descriptor, scratch, length);
}

static void join_broker(int descriptor, const char *identity, int subscribes) {
    uint8_t packet[64] = {0x10, 0, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
    size_t length = strlen(identity);
    packet[1] = 12 + length;
    packet[13] = length;
    memcpy(packet + 14, identity, length);
    put(descriptor, packet, 14 + length);
    get(descriptor, scratch, 4);
    if (!subscribes) return;
    uint8_t subscribe[] = {0x82, 10, 0, 1, 0, TOPIC, 't', 'o', 'p', 'i', 'c', 0};
    put(descriptor, subscribe, sizeof subscribe);
    get(descriptor, scratch, 5);
}

// Reads what is there without waiting.
static size_t drain(int descriptor) {
    size_t total = 0;
    while (1) {
        ssize_t count = recv(descriptor, scratch, sizeof scratch, MSG_DONTWAIT);
        if (count == 0) {
            fprintf(stderr, "the server closed a connection\n");
            exit(1);
        }
        if (count < 0) {
            if (errno == EAGAIN || errno == EWOULDBLOCK) return total;
            if (errno != EINTR) die("receive");
            continue;
        }
        total += count;
        if ((size_t)count < sizeof scratch) return total;
    }
}

static void idle(int port, int connections) {
    for (int index = 0; index < connections; index++) {
        char room[32], identity[32];
        snprintf(room, sizeof room, "idle-%d", index / 2);
        snprintf(identity, sizeof identity, "guest-%d", index);
        join_room(dial(port), room, identity);
    }
    printf("%d\n", connections);
    fflush(stdout);
    while (read(0, scratch, sizeof scratch) > 0) {}
}

static size_t message(uint8_t *bytes, const char *mode, size_t payload, uint64_t number) {
    size_t at, head = 0;
    if (strcmp(mode, "mqtt") == 0) {
        size_t length = 2 + TOPIC + payload;
        at = 0;
        bytes[at++] = 0x30;
        while (length >= 128) {
            bytes[at++] = 0x80 | (length & 0x7F);
            length >>= 7;
        }
        bytes[at++] = length;
        bytes[at++] = 0;
        bytes[at++] = TOPIC;
    } else {
        int reliable = strcmp(mode, "reliable") == 0;
        at = head = frame_head(bytes, 2, 14 + TOPIC + payload);
        bytes[at++] = 1;
        bytes[at++] = reliable;
        bytes[at++] = 0;
        bytes[at++] = TOPIC;
        bytes[at++] = 0;
        bytes[at++] = 0;
        for (int shift = 56; shift >= 0; shift -= 8) bytes[at++] = reliable ? number >> shift : 0;
    }
    memcpy(bytes + at, "topic", TOPIC);
    memset(bytes + at + TOPIC, 'x', payload);
    at += TOPIC + payload;
    if (head > 0) apply_mask(bytes + head, at - head);
    return at;
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "idle") == 0) {
        idle(atoi(arguments[2]), atoi(arguments[3]));
        return 0;
    }
    if (count != 6) {
        fprintf(stderr, "usage: FanOutLoad rooms|reliable|mqtt PORT RECEIVERS BYTES MESSAGES | idle PORT CONNECTIONS\n");
        return 2;
    }
    const char *mode = arguments[1];
    int port = atoi(arguments[2]), receivers = atoi(arguments[3]);
    size_t payload = atoi(arguments[4]);
    long messages = atol(arguments[5]);
    if (receivers > MOST || payload > 60000) return 2;
    int is_mqtt = strcmp(mode, "mqtt") == 0;

    int descriptors[MOST + 1];
    for (int index = 0; index <= receivers; index++) {
        char identity[32];
        snprintf(identity, sizeof identity, index < receivers ? "receiver-%d" : "sender", index);
        descriptors[index] = dial(port);
        if (is_mqtt) join_broker(descriptors[index], identity, index < receivers);
        else join_room(descriptors[index], "fan-out", identity);
    }
    // Who joined later is told to those before.
    usleep(300000);
    for (int index = 0; index <= receivers; index++) drain(descriptors[index]);

    static uint8_t batch[1 << 20];
    size_t sent_size = message(batch, mode, payload, 1);
    // What a receiver gets: MQTT the same bytes, a room's receiver a frame with the sender in it.
    size_t content = 6 + TOPIC + strlen("sender") + payload;
    size_t size = is_mqtt ? sent_size : content + (content < 126 ? 2 : 4);

    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index <= receivers; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = index}};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptors[index], &event) < 0) die("epoll");
    }
    long window = 160000 / (long)sent_size;
    if (window > 256) window = 256;
    long sent = 0;
    size_t received[MOST] = {0};
    double start = now();
    while (1) {
        size_t least = received[0];
        for (int index = 1; index < receivers; index++) if (received[index] < least) least = received[index];
        long done = least / size;
        if (done >= messages) break;
        long more = window - (sent - done);
        if (more > messages - sent) more = messages - sent;
        // Half a window at a time, as a busy sender would.
        if (more >= window / 2 || (more > 0 && more == messages - sent)) {
            size_t length = 0;
            for (long index = 0; index < more; index++) length += message(batch + length, mode, payload, ++sent);
            put(descriptors[receivers], batch, length);
        }
        struct epoll_event events[MOST + 1];
        int ready = epoll_wait(epoll, events, MOST + 1, 5000);
        if (ready < 0 && errno != EINTR) die("epoll");
        if (ready == 0) {
            fprintf(stderr, "nothing came for 5 s after %ld of %ld messages\n", done, messages);
            return 1;
        }
        for (int index = 0; index < ready; index++) {
            uint32_t who = events[index].data.u32;
            size_t bytes = drain(descriptors[who]);
            if (who < (uint32_t)receivers) received[who] += bytes;
        }
    }
    double seconds = now() - start;
    printf("%.0f\n", messages * (double)receivers / seconds);
    return 0;
}
