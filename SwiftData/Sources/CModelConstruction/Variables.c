// dl_iterate_phdr
#define _GNU_SOURCE

#include "CModelConstruction.h"

const volatile uintptr_t anyRead = 1;

_Thread_local struct ModelThread modelThread MODEL_THREAD = {0, 0, &anyRead, 0};

#if defined(__linux__) && !defined(__ANDROID__)

#include <link.h>

struct Search {
    const char *address;
    const volatile uintptr_t *words;
    size_t count;
};

static int lookForAddress(struct dl_phdr_info *module, size_t size, void *data) {
    (void)size;
    struct Search *search = data;
    _Bool isInside = 0;
    size_t bytes = 0;
    for (int number = 0; number < module->dlpi_phnum; number++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[number];
        const char *start = (const char *)module->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->address >= start && search->address < start + part->p_memsz) isInside = 1;
        if (part->p_type == PT_TLS) bytes = part->p_memsz;
    }
    if (!isInside) return 0;
    search->words = module->dlpi_tls_data;
    search->count = bytes / sizeof(uintptr_t);
    return 1;
}

const volatile uintptr_t *threadWords(const void *address, size_t *count) {
    struct Search search = {address, 0, 0};
    dl_iterate_phdr(lookForAddress, &search);
    *count = search.words ? search.count : 0;
    return search.words;
}

#else

const volatile uintptr_t *threadWords(const void *address, size_t *count) {
    (void)address;
    *count = 0;
    return 0;
}

#endif
