// Stands between a program and the file calls of the C library (LD_PRELOAD): counts those on files below one folder,
// and at the Nth kills the process, fails the call or shortens it.
//
// RELIABILITY_FOLDER names the folder. Nothing is counted until the program arms a plan with `reliability_arm`:
//
//     ACTION:CLASSES:N[:ever]     kill-before:any:17    eio:write+sync:3    enospc:write:3:ever    short:write:1
//
// An empty plan only counts. Paths are compared as text, so the folder is named by its real path.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, READ, LINK, MKDIR, LOCK, MAP, CLOSE, CLASSES };
static const char *const names[CLASSES] = {"open",   "write", "sync",  "truncate", "rename", "unlink",
                                           "read", "link",  "mkdir", "lock",     "map",    "close"};

enum action { NONE, KILL_BEFORE, KILL_AFTER, FAIL, SHORT };

static struct {
    enum action action;
    int error;
    unsigned classes; // one bit for each class
    long at;
    int ever;
} plan;

static atomic_int armed;
static atomic_long matching, delivered, counts[CLASSES];

#define DESCRIPTORS 65536
static atomic_char ours[DESCRIPTORS]; // which descriptors lead to files below the folder

// The C library's own function of a name.
#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// MARK: What the program calls

void reliability_arm(const char *text) {
    atomic_store(&armed, 0);
    memset(&plan, 0, sizeof plan);
    atomic_store(&matching, 0);
    atomic_store(&delivered, 0);
    for (int i = 0; i < CLASSES; i++) atomic_store(&counts[i], 0);
    char action[32] = "", classes[128] = "", often[16] = "";
    if (text && sscanf(text, "%31[^:]:%127[^:]:%ld:%15s", action, classes, &plan.at, often) >= 3) {
        plan.ever = !strcmp(often, "ever");
        plan.action = !strcmp(action, "kill-before") ? KILL_BEFORE
                      : !strcmp(action, "kill-after") ? KILL_AFTER
                      : !strcmp(action, "short")      ? SHORT
                                                      : FAIL;
        plan.error = !strcmp(action, "enospc") ? ENOSPC : !strcmp(action, "emfile") ? EMFILE : EIO;
        char *rest = NULL;
        for (char *word = strtok_r(classes, "+", &rest); word; word = strtok_r(NULL, "+", &rest))
            for (int i = 0; i < CLASSES; i++)
                if (!strcmp(word, names[i]) || !strcmp(word, "any")) plan.classes |= 1u << i;
    }
    atomic_store(&armed, 1);
}

// Returns how many calls were failed or shortened.
long reliability_disarm(void) {
    atomic_store(&armed, 0);
    return atomic_load(&delivered);
}

// How many calls there were since arming, as `open=3 write=7 …`.
void reliability_counts(char *text, size_t size) {
    size_t used = 0;
    if (size > 0) text[0] = 0;
    for (int i = 0; i < CLASSES && used < size; i++)
        used += snprintf(text + used, size - used, "%s%s=%ld", i ? " " : "", names[i], atomic_load(&counts[i]));
}

// MARK: Deciding

static _Noreturn void die(void) {
    for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

// What is to be done with this call.
static enum action decide(int class) {
    if (!atomic_load(&armed)) return NONE;
    atomic_fetch_add(&counts[class], 1);
    if (plan.action == NONE || !(plan.classes & (1u << class))) return NONE;
    long number = atomic_fetch_add(&matching, 1) + 1;
    if (number != plan.at && !(plan.ever && number > plan.at)) return NONE;
    if (plan.action == KILL_BEFORE) die();
    atomic_fetch_add(&delivered, 1);
    return plan.action;
}

static int below(const char *path) {
    static const char *folder;
    if (!folder) folder = getenv("RELIABILITY_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) && (path[length] == '/' || path[length] == 0);
}

// Whether a path leads below the folder, seen from a folder's descriptor.
static int counted(int folder, const char *path) {
    if (!path) return 0;
    if (path[0] == '/') return below(path);
    char link[64], base[PATH_MAX];
    if (folder == AT_FDCWD)
        strcpy(link, "/proc/self/cwd");
    else
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length <= 0) return 0;
    base[length] = 0;
    return below(base);
}

static int is_ours(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS && atomic_load(&ours[descriptor]);
}

static void keep(int descriptor, int is) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) atomic_store(&ours[descriptor], is);
}

// Runs a call under the plan: CLASS, whether it counts, its value on failure, and the call.
#define UNDER_PLAN(class, counts_it, failure, call)                                                                    \
    do {                                                                                                               \
        enum action what = (counts_it) ? decide(class) : NONE;                                                         \
        if (what == FAIL || (what == SHORT && (class) != WRITE && (class) != READ)) {                                  \
            errno = plan.error;                                                                                        \
            return failure;                                                                                            \
        }                                                                                                              \
        __typeof__(call) result = call;                                                                                \
        if (what == KILL_AFTER) die();                                                                                 \
        return result;                                                                                                 \
    } while (0)

// MARK: Opening and closing

static int opened(int descriptor, int is) {
    if (descriptor >= 0) keep(descriptor, is);
    return descriptor;
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

#define OPENING(name)                                                                                                  \
    int name(const char *path, int flags, ...) {                                                                       \
        MODE(flags)                                                                                                    \
        REAL(name);                                                                                                    \
        int is = counted(AT_FDCWD, path);                                                                              \
        UNDER_PLAN(OPEN, is, -1, opened(real(path, flags, mode), is));                                                 \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                                                               \
    int name(int folder, const char *path, int flags, ...) {                                                           \
        MODE(flags)                                                                                                    \
        REAL(name);                                                                                                    \
        int is = counted(folder, path);                                                                                \
        UNDER_PLAN(OPEN, is, -1, opened(real(folder, path, flags, mode), is));                                         \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

#define TEMPORARY(name, parameters, arguments)                                                                         \
    int name parameters {                                                                                              \
        REAL(name);                                                                                                    \
        int is = counted(AT_FDCWD, path);                                                                              \
        UNDER_PLAN(OPEN, is, -1, opened(real arguments, is));                                                          \
    }
TEMPORARY(mkstemp, (char *path), (path))
TEMPORARY(mkstemp64, (char *path), (path))
TEMPORARY(mkostemp, (char *path, int flags), (path, flags))
TEMPORARY(mkostemp64, (char *path, int flags), (path, flags))

int close(int descriptor) {
    REAL(close);
    int is = is_ours(descriptor);
    keep(descriptor, 0);
    // A close isn't failed: the descriptor would stay open, which no file system does.
    enum action what = is ? decide(CLOSE) : NONE;
    int result = real(descriptor);
    if (what == KILL_AFTER) die();
    return result;
}

int dup(int descriptor) {
    REAL(dup);
    return opened(real(descriptor), is_ours(descriptor));
}

// MARK: Writing and reading

// How many bytes a call may move.
static size_t shortened(enum action what, size_t size) { return what == SHORT && size > 1 ? size / 2 : size; }

#define MOVING(class, name, parameters, before, size, after)                                                           \
    ssize_t name parameters {                                                                                          \
        REAL(name);                                                                                                    \
        enum action what = is_ours(descriptor) ? decide(class) : NONE;                                                 \
        if (what == FAIL) {                                                                                            \
            errno = plan.error;                                                                                        \
            return -1;                                                                                                 \
        }                                                                                                              \
        ssize_t result = real(descriptor, before, shortened(what, size) after);                                        \
        if (what == KILL_AFTER) die();                                                                                 \
        return result;                                                                                                 \
    }
#define THEN(argument) , argument
MOVING(WRITE, write, (int descriptor, const void *bytes, size_t size), bytes, size, )
MOVING(WRITE, pwrite, (int descriptor, const void *bytes, size_t size, off_t at), bytes, size, THEN(at))
MOVING(WRITE, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at), bytes, size, THEN(at))
MOVING(READ, read, (int descriptor, void *bytes, size_t size), bytes, size, )
MOVING(READ, pread, (int descriptor, void *bytes, size_t size, off_t at), bytes, size, THEN(at))
MOVING(READ, pread64, (int descriptor, void *bytes, size_t size, off64_t at), bytes, size, THEN(at))

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    REAL(writev);
    UNDER_PLAN(WRITE, is_ours(descriptor), -1, real(descriptor, parts, count));
}

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *end, size_t size, unsigned flags) {
    REAL(copy_file_range);
    UNDER_PLAN(WRITE, is_ours(to), -1, real(from, start, to, end, size, flags));
}

ssize_t sendfile(int to, int from, off_t *start, size_t size) {
    static ssize_t (*real)(int, int, off_t *, size_t);
    if (!real) real = (ssize_t(*)(int, int, off_t *, size_t))dlsym(RTLD_NEXT, "sendfile");
    UNDER_PLAN(WRITE, is_ours(to), -1, real(to, from, start, size));
}

int fsync(int descriptor) {
    REAL(fsync);
    UNDER_PLAN(SYNC, is_ours(descriptor), -1, real(descriptor));
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    UNDER_PLAN(SYNC, is_ours(descriptor), -1, real(descriptor));
}

// MARK: Lengths

#define LENGTH(name, type)                                                                                             \
    int name(int descriptor, type length) {                                                                            \
        REAL(name);                                                                                                    \
        UNDER_PLAN(TRUNCATE, is_ours(descriptor), -1, real(descriptor, length));                                       \
    }
LENGTH(ftruncate, off_t)
LENGTH(ftruncate64, off64_t)

int truncate(const char *path, off_t length) {
    REAL(truncate);
    UNDER_PLAN(TRUNCATE, counted(AT_FDCWD, path), -1, real(path, length));
}

int posix_fallocate(int descriptor, off_t start, off_t length) {
    REAL(posix_fallocate);
    UNDER_PLAN(TRUNCATE, is_ours(descriptor), plan.error, real(descriptor, start, length));
}

// MARK: Names

int rename(const char *from, const char *to) {
    REAL(rename);
    UNDER_PLAN(RENAME, counted(AT_FDCWD, from) || counted(AT_FDCWD, to), -1, real(from, to));
}

int renameat(int source, const char *from, int target, const char *to) {
    REAL(renameat);
    UNDER_PLAN(RENAME, counted(source, from) || counted(target, to), -1, real(source, from, target, to));
}

int renameat2(int source, const char *from, int target, const char *to, unsigned flags) {
    REAL(renameat2);
    UNDER_PLAN(RENAME, counted(source, from) || counted(target, to), -1, real(source, from, target, to, flags));
}

int unlink(const char *path) {
    REAL(unlink);
    UNDER_PLAN(UNLINK, counted(AT_FDCWD, path), -1, real(path));
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    UNDER_PLAN(UNLINK, counted(folder, path), -1, real(folder, path, flags));
}

int remove(const char *path) {
    REAL(remove);
    UNDER_PLAN(UNLINK, counted(AT_FDCWD, path), -1, real(path));
}

int rmdir(const char *path) {
    REAL(rmdir);
    UNDER_PLAN(UNLINK, counted(AT_FDCWD, path), -1, real(path));
}

int link(const char *from, const char *to) {
    REAL(link);
    UNDER_PLAN(LINK, counted(AT_FDCWD, to), -1, real(from, to));
}

int linkat(int source, const char *from, int target, const char *to, int flags) {
    REAL(linkat);
    UNDER_PLAN(LINK, counted(target, to), -1, real(source, from, target, to, flags));
}

int symlink(const char *from, const char *to) {
    REAL(symlink);
    UNDER_PLAN(LINK, counted(AT_FDCWD, to), -1, real(from, to));
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    UNDER_PLAN(MKDIR, counted(AT_FDCWD, path), -1, real(path, mode));
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(mkdirat);
    UNDER_PLAN(MKDIR, counted(folder, path), -1, real(folder, path, mode));
}

// MARK: Maps and locks

#define MAPPING(name, type)                                                                                            \
    void *name(void *place, size_t size, int protection, int flags, int descriptor, type start) {                      \
        REAL(name);                                                                                                    \
        UNDER_PLAN(MAP, is_ours(descriptor), MAP_FAILED, real(place, size, protection, flags, descriptor, start));     \
    }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

// Locks count as a class of their own; a copied descriptor leads to the same file. Failing a lock would only say that
// another process holds it, so plans name this class for kills.
#define CONTROL(name)                                                                                                  \
    int name(int descriptor, int command, ...) {                                                                       \
        va_list list;                                                                                                  \
        va_start(list, command);                                                                                       \
        void *argument = va_arg(list, void *);                                                                         \
        va_end(list);                                                                                                  \
        REAL(name);                                                                                                    \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)                                                          \
            return opened(real(descriptor, command, argument), is_ours(descriptor));                                   \
        int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK;                               \
        UNDER_PLAN(LOCK, locks && is_ours(descriptor), -1, real(descriptor, command, argument));                       \
    }
CONTROL(fcntl)
CONTROL(fcntl64)
