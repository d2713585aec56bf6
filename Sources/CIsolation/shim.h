// Runs one C function in a process of its own, which shares a piece of memory with this one.
//
// For libraries that cannot be asked to stop, that take what memory they like, or whose faults must
// not take this process down. Such a process is a copy of another one, and copying a process costs
// time with the memory that it has. So the copies are made by a starter: a process that was copied
// from this one once, before it grew. It does nothing but wait for orders, and its copies are
// children of this process (CLONE_PARENT), which alone waits for them and ends them.
//
// Starter and copies have one thread: only C code that needs no lock of another thread may run in
// them; glibc keeps malloc usable there. A copy opens nothing, writes to the shared memory only and
// ends at once.

#ifndef SIGHTLINE_CISOLATION_SHIM_H
#define SIGHTLINE_CISOLATION_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/sched.h>
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
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc has these for _GNU_SOURCE only, with which its headers would differ from those of other modules.
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif

// The beginning of the shared memory; the parameters follow it, then the output, then the input.
typedef struct {
    // What the work returned: 0 for success, else its own code.
    int status;
    int values[8];
    char message[104];
    // Bytes that the process's memory rose by at its peak.
    size_t peak_bytes;
} sl_isolated_head;

// What a function of a library is given.
typedef struct {
    // Its own parameters.
    const void *parameters;
    const unsigned char *bytes;
    size_t count;
    int *values;
    char *message;
    size_t message_size;
    unsigned char *output;
} sl_isolated_call;

// Fills the values, of which there are eight, and the output; or the message.
typedef int (*sl_isolated_work)(const sl_isolated_call *call);

// What is to be run, in the words that a starter is sent.
typedef struct {
    sl_isolated_work work;
    size_t parameter_bytes;
    size_t input_bytes;
    size_t output_bytes;
    // Bytes of memory that it may take besides what is shared.
    size_t memory_bytes;
    // Its scheduling priority, as of setpriority.
    int nice;
} sl_isolated_order;

enum sl_isolated_place { SL_ISOLATED_PARAMETERS = 256, SL_ISOLATED_OUTPUT = 4096 };

// Where the input begins, up to which the memory is mapped in this process.
static inline size_t sl_isolated_input_place(const sl_isolated_order *order) {
    return (SL_ISOLATED_OUTPUT + order->output_bytes + 4095) & ~(size_t)4095;
}

static inline size_t sl_isolated_shared_bytes(const sl_isolated_order *order) {
    return sl_isolated_input_place(order) + order->input_bytes;
}

typedef struct {
    pid_t pid;
    // This process's end of the socket that orders go through.
    int socket;
} sl_isolated_starter;

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

// In the copy: does the work and ends.
static inline void sl_isolated_run(const sl_isolated_order *order, int memory) {
    unsigned char *shared = (unsigned char *)mmap(
        NULL, sl_isolated_shared_bytes(order), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
        memory, 0);
    if (shared == MAP_FAILED) _exit(1);
    close(memory);
    setpriority(PRIO_PROCESS, 0, order->nice);
    size_t size = sl_isolated_field("VmSize:");
    struct rlimit limit = {size + order->memory_bytes, size + order->memory_bytes};
    if (order->memory_bytes > 0) setrlimit(RLIMIT_AS, &limit);
    FILE *file = fopen("/proc/self/clear_refs", "we");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    size_t before = sl_isolated_field("VmRSS:");
    sl_isolated_head *head = (sl_isolated_head *)shared;
    sl_isolated_call call = {
        shared + SL_ISOLATED_PARAMETERS, shared + sl_isolated_input_place(order),
        order->input_bytes, head->values, head->message, sizeof head->message,
        shared + SL_ISOLATED_OUTPUT};
    head->status = order->work(&call);
    size_t peak = sl_isolated_field("VmHWM:");
    head->peak_bytes = peak > before ? peak - before : 0;
    _exit(0);
}

static inline void sl_isolated_close_files(unsigned int first, unsigned int last) {
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
    // A kernel or a container that lacks the call.
    for (unsigned int file = first; file <= last && file < 65536; file++) close((int)file);
}

// Of the starter: no signal and no file of its origin's, no core file, one heap.
static inline void sl_isolated_settle(int control) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        signal(faults[i], SIG_DFL);
        sigdelset(&all, faults[i]);
    }
    sigprocmask(SIG_SETMASK, &all, NULL);
    // What ps -o comm and top call it and its copies.
    prctl(PR_SET_NAME, "decoders");
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Threads of a library would each reserve address space for a heap of their own.
    mallopt(M_ARENA_MAX, 1);
    // A terminal's signals are for this process's origin, and so the starter can end its copies.
    if (setpgid(0, 0) != 0) _exit(1);
    // Locks, connections and pipes of its origin must end with it; and what libraries print of a
    // file is nothing for a log.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int file = 0; file < 3; file++) {
        if (nothing < 0 || dup2(nothing, file) < 0) _exit(1);
    }
    if (control > 3) sl_isolated_close_files(3, (unsigned int)control - 1);
    sl_isolated_close_files((unsigned int)control + 1, ~0u);
}

// Takes an order and the shared memory's file; 0 once the other end is closed.
static inline int sl_isolated_take(int control, sl_isolated_order *order, int *memory) {
    char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
    struct iovec part = {order, sizeof *order};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    if (recvmsg(control, &message, MSG_CMSG_CLOEXEC) != sizeof *order) return 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS) return 0;
    memcpy(memory, CMSG_DATA(header), sizeof *memory);
    return 1;
}

// In the starter: makes a copy of itself for each order, until its origin has ended.
static inline void sl_isolated_serve(int control) {
    // Above the standard files, whatever of these its origin has closed.
    control = fcntl(control, F_DUPFD_CLOEXEC, 3);
    if (control < 0) _exit(1);
    sl_isolated_settle(control);
    sl_isolated_order order;
    int memory = -1;
    while (sl_isolated_take(control, &order, &memory)) {
        // Not fork: its origin is to be the parent, and there is no other thread to care for.
        long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) {
            close(control);
            sl_isolated_run(&order, memory);
        }
        int answer = pid < 0 ? -errno : (int)pid;
        close(memory);
        if (send(control, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) break;
    }
    // Its copies are in its group: they end with their origin too.
    kill(0, SIGKILL);
    _exit(0);
}

// Makes a starter of this process. Returns 0 or errno.
static inline int sl_isolated_open(sl_isolated_starter *starter) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    pid_t pid = fork();
    if (pid == 0) sl_isolated_serve(ends[1]);
    int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return error;
    }
    starter->pid = pid;
    starter->socket = ends[0];
    return 0;
}

// Ends the starter and the copies that still run.
static inline void sl_isolated_end(sl_isolated_starter *starter) {
    close(starter->socket);
    kill(starter->pid, SIGKILL);
    while (waitpid(starter->pid, NULL, 0) < 0 && errno == EINTR) {}
}

// Sends an order and takes the number of the process that was made for it, or less than 0: an errno,
// EPIPE if the starter is gone.
static inline pid_t sl_isolated_ask(
    const sl_isolated_starter *starter, sl_isolated_order *order, int memory) {
    char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
    struct iovec part = {order, sizeof *order};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof memory);
    memcpy(CMSG_DATA(header), &memory, sizeof memory);
    ssize_t count = 0;
    while ((count = sendmsg(starter->socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    if (count != sizeof *order) return -EPIPE;
    int answer = 0;
    while ((count = recv(starter->socket, &answer, sizeof answer, 0)) < 0 && errno == EINTR) {}
    if (count != sizeof answer) return -EPIPE;
    return answer;
}

// Writes all bytes at a place of a file; 0 if it cannot.
static inline int sl_isolated_write(
    int file, const unsigned char *bytes, size_t count, size_t place) {
    while (count > 0) {
        ssize_t written = pwrite(file, bytes, count, (off_t)place);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes += written;
        count -= (size_t)written;
        place += (size_t)written;
    }
    return 1;
}

// Makes the shared memory and writes the input to it. Nobody can make it smaller, whatever becomes
// of the process that shares it. Returns its file, or -1.
static inline int sl_isolated_share(
    sl_isolated *job, const sl_isolated_order *order, const void *parameters,
    const unsigned char *bytes) {
    memset(job, 0, sizeof *job);
    job->process = -1;
    if (order->parameter_bytes > SL_ISOLATED_OUTPUT - SL_ISOLATED_PARAMETERS) return -1;
    job->mapped = sl_isolated_input_place(order);
    int memory = (int)syscall(SYS_memfd_create, "isolated", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    void *shared = MAP_FAILED;
    // Written and not mapped: no page of it has to be cleared and faulted in.
    if (ftruncate(memory, (off_t)sl_isolated_shared_bytes(order)) == 0
        && sl_isolated_write(memory, bytes, order->input_bytes, sl_isolated_input_place(order))
        && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        shared = mmap(
            NULL, job->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
    }
    if (shared == MAP_FAILED) {
        close(memory);
        return -1;
    }
    job->head = (sl_isolated_head *)shared;
    job->output = (unsigned char *)shared + SL_ISOLATED_OUTPUT;
    // What the process dies of, if it says nothing.
    job->head->status = -1;
    memcpy((unsigned char *)shared + SL_ISOLATED_PARAMETERS, parameters, order->parameter_bytes);
    return memory;
}

// The scheduling priority of this thread.
static inline int sl_isolated_priority(void) { return getpriority(PRIO_PROCESS, 0); }

// From then on the process can be waited for.
static inline void sl_isolated_follow(sl_isolated *job, pid_t pid) {
    job->pid = pid;
    job->process = (int)syscall(SYS_pidfd_open, pid, 0);
}

// Waits until the process has ended, for `milliseconds` at most.
static inline enum sl_isolated_state sl_isolated_wait(sl_isolated *job, int milliseconds) {
    int status = 0;
    if (job->process >= 0) {
        struct pollfd event = {job->process, POLLIN, 0};
        if (poll(&event, 1, milliseconds) == 0) return SL_ISOLATED_RUNNING;
    } else {
        poll(NULL, 0, 1);
    }
    pid_t ended = waitpid(job->pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return SL_ISOLATED_RUNNING;
    job->pid = 0;
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
        ? SL_ISOLATED_DONE : SL_ISOLATED_DIED;
}

// Gives the shared memory back and kills the process if it still runs, without waiting for its end,
// for which it may need a processor that others hold. Returns its number then, which is to be
// collected later; else 0.
static inline pid_t sl_isolated_close(sl_isolated *job) {
    if (job->pid > 0) kill(job->pid, SIGKILL);
    if (job->process >= 0) close(job->process);
    munmap(job->head, job->mapped);
    return job->pid;
}

// Whether a killed process has ended, or no longer is one of this process; waits for it if told.
static inline int sl_isolated_collect(pid_t pid, int must_wait) {
    pid_t ended = 0;
    while ((ended = waitpid(pid, NULL, must_wait ? 0 : WNOHANG)) < 0 && errno == EINTR) {}
    return ended != 0;
}

#endif
