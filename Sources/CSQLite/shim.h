#pragma once
#include <sqlite3.h>

// Takes variable arguments, which Swift cannot pass.
static inline int readerkit_sqlite_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
