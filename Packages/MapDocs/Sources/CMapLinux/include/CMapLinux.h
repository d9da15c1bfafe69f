#ifndef HOPE_MAP_LINUX_H
#define HOPE_MAP_LINUX_H

// What <stdio.h> and <unistd.h> declare for _GNU_SOURCE only, which Swift's Glibc module does not show.

#include <stddef.h>

#if defined(__linux__)
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HOPE_RENAME_NOREPLACE 1u
#define HOPE_RENAME_EXCHANGE 2u

static inline int hope_renameat2(const char *from, const char *to, unsigned int flags) {
    return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, flags);
}

static inline long hope_copy_file_range(int from, int to, size_t count) {
    return syscall(SYS_copy_file_range, from, (void *)0, to, (void *)0, count, 0u);
}
#endif

#endif
