// Runs one C function in a process of its own, which shares a piece of memory with this one.
//
// For libraries that cannot be asked to stop, that take what memory they like, or whose faults must
// not take this process down. The child is a copy of this process with one thread: only C code that
// needs no lock of another thread may run in it; glibc keeps malloc usable there. It opens nothing,
// writes to the shared memory only and ends at once.

#ifndef SIGHTLINE_CISOLATION_SHIM_H
#define SIGHTLINE_CISOLATION_SHIM_H

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The beginning of the shared memory; the output follows it.
typedef struct {
    // What the work returned: 0 for success, else its own code.
    int status;
    int values[8];
    char message[104];
    // Bytes that the child's memory rose by at its peak.
    size_t peak_bytes;
} sl_isolated_head;

// Fills `values`, of which there are eight, and the output; or the message of `size` bytes.
typedef int (*sl_isolated_work)(
    const void *input, int *values, char *message, size_t size, unsigned char *output);

typedef struct {
    pid_t pid;
    int process;
    size_t mapped;
    sl_isolated_head *head;
    unsigned char *output;
} sl_isolated;

enum sl_isolated_state { SL_ISOLATED_RUNNING = 0, SL_ISOLATED_DONE = 1, SL_ISOLATED_DIED = 2 };

// Bytes by the line of /proc/self/status that begins with `name`.
static inline size_t sl_isolated_field(const char *name) {
    size_t kibibytes = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kibibytes = strtoul(line + strlen(name), NULL, 10);
            break;
        }
    }
    fclose(file);
    return kibibytes << 10;
}

// No signal of the parent's, no core file, no more memory than allowed, and no life without it.
static inline void sl_isolated_settle(size_t memory_bytes) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        signal(faults[i], SIG_DFL);
        sigdelset(&all, faults[i]);
    }
    sigprocmask(SIG_SETMASK, &all, NULL);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Threads of the library would each reserve address space for a heap of their own.
    mallopt(M_ARENA_MAX, 1);
    size_t size = sl_isolated_field("VmSize:");
    struct rlimit limit = {size + memory_bytes, size + memory_bytes};
    if (memory_bytes > 0) setrlimit(RLIMIT_AS, &limit);
}

static inline void sl_isolated_run(
    sl_isolated *job, sl_isolated_work work, const void *input, size_t memory_bytes) {
    sl_isolated_settle(memory_bytes);
    FILE *file = fopen("/proc/self/clear_refs", "we");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    size_t before = sl_isolated_field("VmRSS:");
    job->head->status = work(
        input, job->head->values, job->head->message, sizeof job->head->message, job->output);
    size_t peak = sl_isolated_field("VmHWM:");
    job->head->peak_bytes = peak > before ? peak - before : 0;
    _exit(0);
}

// Starts `work` with at most `memory_bytes` more memory than this process has. Returns 0 or errno.
static inline int sl_isolated_start(
    sl_isolated *job, sl_isolated_work work, const void *input, size_t output_bytes,
    size_t memory_bytes) {
    memset(job, 0, sizeof *job);
    job->process = -1;
    job->mapped = 4096 + output_bytes;
    void *shared = mmap(
        NULL, job->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
        0);
    if (shared == MAP_FAILED) return errno;
    job->head = (sl_isolated_head *)shared;
    job->output = (unsigned char *)shared + 4096;
    // What the child dies of, if it says nothing.
    job->head->status = -1;
    job->pid = fork();
    if (job->pid == 0) sl_isolated_run(job, work, input, memory_bytes);
    if (job->pid < 0) {
        int error = errno;
        munmap(shared, job->mapped);
        return error;
    }
    job->process = (int)syscall(SYS_pidfd_open, job->pid, 0);
    return 0;
}

// Waits until the child has ended, for `milliseconds` at most.
static inline enum sl_isolated_state sl_isolated_wait(sl_isolated *job, int milliseconds) {
    int status = 0;
    if (job->process >= 0) {
        struct pollfd event = {job->process, POLLIN, 0};
        poll(&event, 1, milliseconds);
    } else {
        poll(NULL, 0, 1);
    }
    pid_t ended = waitpid(job->pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return SL_ISOLATED_RUNNING;
    job->pid = 0;
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
        ? SL_ISOLATED_DONE : SL_ISOLATED_DIED;
}

// Ends the child, if it still runs, and gives the shared memory back.
static inline void sl_isolated_close(sl_isolated *job) {
    if (job->pid > 0) {
        kill(job->pid, SIGKILL);
        while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    if (job->process >= 0) close(job->process);
    munmap(job->head, job->mapped);
}

#endif
