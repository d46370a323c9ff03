// The thread's model under construction: Swift has no variables of a thread.

#pragma once

extern _Thread_local void *_Nullable modelUnderConstruction;
extern _Thread_local int observationIsTracking;
extern _Thread_local const void *_Nullable keyPathReader;

/// The object that the storage of the model that is being made takes; NULL if it makes its own.
static inline void *_Nullable constructedObject(void) { return modelUnderConstruction; }
static inline void setConstructedObject(void *_Nullable object) { modelUnderConstruction = object; }

/// Returns whether somebody recorded the last access that was told to Swift's Observation on this thread, and forgets it.
static inline _Bool takeTracking(void) {
    if (!observationIsTracking) return 0;
    observationIsTracking = 0;
    return 1;
}
static inline void noteTracking(void) { observationIsTracking = 1; }

/// The reader of a key path that wants to know of each property that is read on this thread; NULL if there is none.
static inline const void *_Nullable currentKeyPathReader(void) { return keyPathReader; }
static inline void setCurrentKeyPathReader(const void *_Nullable reader) { keyPathReader = reader; }
