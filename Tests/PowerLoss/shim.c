// Notes, in the order in which they happen, everything that a process asks of the disk below one
// folder, and everything that it sends over a socket.
//
// Loaded with LD_PRELOAD. POWERLOSS_FOLDER is the folder, POWERLOSS_TRACE the file that events
// are appended to. POWERLOSS_SWALLOW=1 makes fdatasync report success and do nothing: a planted
// mistake. POWERLOSS_FAIL_SYNC=N makes the Nth fdatasync fail with EIO. POWERLOSS_KILL_SYNC=N
// kills the process instead of the Nth fdatasync of a segment.
//
// An event: kind (1 byte), result (4, signed), file (8), offset (8), three lengths (4 each), then
// path, second path and data. Integers in the machine's order. A call that changes something is
// noted before it is done, and its result behind it (D), under one lock, so that the order of
// events is the order of effects and a killed process leaves at most one whose result is unknown.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *folder;
static size_t folder_length;
static int trace = -1;
static int swallows;
static long fail_at, kill_at, syncs, segment_syncs;
static char *paths[FILES];
static uint64_t files[FILES];

static void note(
    char kind, long result, uint64_t file, uint64_t offset, const char *path, const char *second,
    const void *data, size_t count);

static void start(void) {
    folder = getenv("POWERLOSS_FOLDER");
    const char *name = getenv("POWERLOSS_TRACE");
    if (!folder || !name) return;
    folder_length = strlen(folder);
    const char *text = getenv("POWERLOSS_SWALLOW");
    swallows = text && text[0] == '1';
    text = getenv("POWERLOSS_FAIL_SYNC");
    fail_at = text ? atol(text) : 0;
    text = getenv("POWERLOSS_KILL_SYNC");
    kill_at = text ? atol(text) : 0;
    trace = (int)syscall(
        SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace >= 0) note('P', 0, 0, 0, 0, 0, 0, 0);
}

static int is_watched(const char *path) {
    pthread_once(&once, start);
    return trace >= 0 && path && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

static int is_watched_file(int fd) {
    pthread_once(&once, start);
    return trace >= 0 && fd >= 0 && fd < FILES && paths[fd];
}

static void note(
    char kind, long result, uint64_t file, uint64_t offset, const char *path, const char *second,
    const void *data, size_t count) {
    struct __attribute__((packed)) {
        char kind;
        int32_t result;
        uint64_t file, offset;
        uint32_t lengths[3];
    } head = {
        kind, (int32_t)result, file, offset,
        {path ? strlen(path) : 0, second ? strlen(second) : 0, data ? count : 0}};
    struct iovec parts[4] = {
        {&head, sizeof head}, {(void *)path, head.lengths[0]}, {(void *)second, head.lengths[1]},
        {(void *)data, head.lengths[2]}};
    // One call for all of it, so that a killed process leaves whole events.
    syscall(SYS_writev, trace, parts, 4);
}

// Behind every event that changes something.
static void done(long result, uint64_t file) { note('D', result, file, 0, 0, 0, 0, 0); }

static uint64_t identity(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

static int watched_open(int directory, const char *path, int flags, mode_t mode) {
    if (directory != AT_FDCWD || !is_watched(path))
        return (int)syscall(SYS_openat, directory, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat status;
    int is_there = stat(path, &status) == 0;
    int is_new = (flags & O_CREAT) && !is_there;
    int is_cut = is_there && (flags & O_TRUNC);
    if (is_new) note('C', 0, 0, 0, path, 0, 0, 0);
    if (is_cut) note('T', 0, status.st_ino, 0, path, 0, 0, 0);
    int fd = (int)syscall(SYS_openat, directory, path, flags, mode);
    int error = errno;
    if (fd >= 0 && fd < FILES) {
        free(paths[fd]);
        paths[fd] = strdup(path);
        files[fd] = identity(fd);
    }
    if (is_new || is_cut) done(fd, fd >= 0 && fd < FILES ? files[fd] : 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return fd;
}

static mode_t mode_of(int flags, va_list list) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define OPEN(NAME) \
    int NAME(const char *path, int flags, ...) { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = mode_of(flags, list); \
        va_end(list); \
        return watched_open(AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(NAME) \
    int NAME(int directory, const char *path, int flags, ...) { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = mode_of(flags, list); \
        va_end(list); \
        return watched_open( \
            path && path[0] == '/' ? AT_FDCWD : directory, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (is_watched_file(fd)) {
        pthread_mutex_lock(&lock);
        free(paths[fd]);
        paths[fd] = 0;
        pthread_mutex_unlock(&lock);
    }
    return (int)syscall(SYS_close, fd);
}

static ssize_t watched_pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    if (!is_watched_file(fd)) return syscall(SYS_pwrite64, fd, bytes, count, offset);
    pthread_mutex_lock(&lock);
    note('W', 0, files[fd], offset, paths[fd], 0, bytes, count);
    ssize_t result = syscall(SYS_pwrite64, fd, bytes, count, offset);
    int error = errno;
    done(result, files[fd]);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    return watched_pwrite(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    return watched_pwrite(fd, bytes, count, offset);
}

static void note_sent(int fd, const void *bytes, size_t count) {
    pthread_mutex_lock(&lock);
    note('N', 0, fd, 0, 0, 0, bytes, count);
    pthread_mutex_unlock(&lock);
}

static int is_socket(int fd) {
    struct stat status;
    return trace >= 0 && fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    if (is_watched_file(fd)) {
        pthread_mutex_lock(&lock);
        off_t offset = lseek(fd, 0, SEEK_CUR);
        note('W', 0, files[fd], offset, paths[fd], 0, bytes, count);
        ssize_t result = syscall(SYS_write, fd, bytes, count);
        int error = errno;
        done(result, files[fd]);
        pthread_mutex_unlock(&lock);
        errno = error;
        return result;
    }
    if (is_socket(fd)) note_sent(fd, bytes, count);
    return syscall(SYS_write, fd, bytes, count);
}

// What is sent is noted before it leaves.
ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    pthread_once(&once, start);
    if (trace >= 0) note_sent(fd, bytes, count);
    return syscall(SYS_sendto, fd, bytes, count, flags, 0, 0);
}
ssize_t sendto(
    int fd, const void *bytes, size_t count, int flags, const struct sockaddr *address,
    socklen_t length) {
    pthread_once(&once, start);
    if (trace >= 0) note_sent(fd, bytes, count);
    return syscall(SYS_sendto, fd, bytes, count, flags, address, length);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    pthread_once(&once, start);
    for (size_t part = 0; trace >= 0 && part < message->msg_iovlen; part++)
        note_sent(fd, message->msg_iov[part].iov_base, message->msg_iov[part].iov_len);
    return syscall(SYS_sendmsg, fd, message, flags);
}

static int watched_truncate(int fd, off_t size) {
    if (!is_watched_file(fd)) return (int)syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    note('T', 0, files[fd], size, paths[fd], 0, 0, 0);
    int result = (int)syscall(SYS_ftruncate, fd, size);
    int error = errno;
    done(result, files[fd]);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
int ftruncate(int fd, off_t size) { return watched_truncate(fd, size); }
int ftruncate64(int fd, off_t size) { return watched_truncate(fd, size); }

// Only what was written before a sync began is on the disk when it returns.
static int watched_sync(int fd, long number) {
    if (!is_watched_file(fd)) return (int)syscall(number, fd);
    pthread_mutex_lock(&lock);
    uint64_t file = files[fd];
    char path[PATH_MAX];
    strncpy(path, paths[fd], sizeof path - 1);
    path[sizeof path - 1] = 0;
    size_t length = strlen(path);
    int is_segment = length > 8 && strcmp(path + length - 8, ".segment") == 0;
    if (number == SYS_fdatasync && is_segment && ++segment_syncs == kill_at)
        syscall(SYS_kill, getpid(), SIGKILL);
    int fails = number == SYS_fdatasync && ++syncs == fail_at;
    int does_nothing = number == SYS_fdatasync && swallows;
    if (!fails && !does_nothing) note('S', 0, file, 0, path, 0, 0, 0);
    pthread_mutex_unlock(&lock);
    if (does_nothing) return 0;
    if (fails) {
        errno = EIO;
        return -1;
    }
    int result = (int)syscall(number, fd);
    int error = errno;
    pthread_mutex_lock(&lock);
    note('E', result, file, 0, path, 0, 0, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
int fsync(int fd) { return watched_sync(fd, SYS_fsync); }
int fdatasync(int fd) { return watched_sync(fd, SYS_fdatasync); }

int rename(const char *from, const char *to) {
    if (!is_watched(from) && !is_watched(to)) return (int)syscall(SYS_rename, from, to);
    pthread_mutex_lock(&lock);
    note('R', 0, 0, 0, from, to, 0, 0);
    int result = (int)syscall(SYS_rename, from, to);
    int error = errno;
    done(result, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int unlink(const char *path) {
    if (!is_watched(path)) return (int)syscall(SYS_unlink, path);
    pthread_mutex_lock(&lock);
    note('U', 0, 0, 0, path, 0, 0, 0);
    int result = (int)syscall(SYS_unlink, path);
    int error = errno;
    done(result, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int mkdir(const char *path, mode_t mode) {
    if (!is_watched(path)) return (int)syscall(SYS_mkdir, path, mode);
    pthread_mutex_lock(&lock);
    note('M', 0, 0, 0, path, 0, 0, 0);
    int result = (int)syscall(SYS_mkdir, path, mode);
    int error = errno;
    done(result, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
