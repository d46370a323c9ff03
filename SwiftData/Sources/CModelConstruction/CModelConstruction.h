// Variables of a thread, which Swift doesn't have: the model under construction, and who wants to know of reads.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// What one thread has.
struct ModelThread {
    /// The object that the storage of the model that is being made takes; NULL if it makes its own.
    void *_Nullable constructed;
    /// The reader of a key path that wants to know of each property that is read; NULL if there is none.
    const void *_Nullable reader;
    /// A word that is 0 while no read on this thread is tracked: one of Swift's Observation, or `anyRead`, which never is.
    const volatile uintptr_t *_Nonnull tracking;
    /// Set when somebody recorded an access that was told to Swift's Observation.
    _Bool isTracking;
};

// Reads of properties ask for it: where the platform has the model, it lies at a fixed distance from the thread's pointer.
#if defined(__linux__) && !defined(__ANDROID__)
#define MODEL_THREAD __attribute__((tls_model("initial-exec")))
#else
#define MODEL_THREAD
#endif
extern _Thread_local struct ModelThread modelThread MODEL_THREAD;

static inline void *_Nullable constructedObject(void) { return modelThread.constructed; }
static inline void setConstructedObject(void *_Nullable object) { modelThread.constructed = object; }

static inline const void *_Nullable currentKeyPathReader(void) { return modelThread.reader; }
static inline void setCurrentKeyPathReader(const void *_Nullable reader) { modelThread.reader = reader; }

/// What `ModelThread.tracking` leads to until it is known better.
extern const volatile uintptr_t anyRead;

/// Returns whether somebody on this thread may want to know of a read.
static inline _Bool mayBeTracked(void) { return *modelThread.tracking || modelThread.reader; }

static inline void setTrackingWord(const volatile uintptr_t *_Nullable word) {
    modelThread.tracking = word ? word : &anyRead;
}

/// The variables that the module with an address in it, a library or the program, has for the calling thread; NULL if it has none.
const volatile uintptr_t *_Nullable threadWords(const void *_Nonnull address, size_t *_Nonnull count);

static inline void noteTracking(void) { modelThread.isTracking = 1; }

/// Returns whether somebody on this thread wants to know of a read: who recorded the last access that was told to Swift's
/// Observation, which is forgotten, or the reader of a key path.
static inline _Bool takeNotedRead(void) {
    struct ModelThread *thread = &modelThread;
    if (!thread->isTracking && !thread->reader) return 0;
    thread->isTracking = 0;
    return 1;
}

// Swift's runtime, by which `unowned` references are counted: such a reference keeps an object's memory, not the object.

void *_Nullable swift_unownedRetain(void *_Nullable object);
void swift_unownedRelease(void *_Nullable object);
/// Retains an object unless its destruction has begun; NULL then.
void *_Nullable swift_tryRetain(void *_Nullable object);
