#ifndef HOPE_MAP_LINUX_H
#define HOPE_MAP_LINUX_H

// What <stdio.h>, <unistd.h> and <fcntl.h> declare for _GNU_SOURCE only, or as variadic functions, which Swift's Glibc
// module does not show.

#include <stddef.h>

#if defined(__linux__)
#include <errno.h>
#include <sys/ioctl.h>
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

// Makes an empty file share all blocks of another one, where the file system can.
static inline int hope_clone_file(int from, int to) {
    return ioctl(to, 0x40049409ul /* FICLONE of <linux/fs.h> */, from);
}

// Begins writing a range of a file to the medium without waiting for it.
static inline int hope_begin_writeback(int file, long long offset, long long count) {
    return (int)syscall(SYS_sync_file_range, file, offset, count, 2u /* SYNC_FILE_RANGE_WRITE */);
}

static inline int hope_syncfs(int file) {
    return (int)syscall(SYS_syncfs, file);
}
#endif

#endif
