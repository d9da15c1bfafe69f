#ifndef HOPE_MAP_SQLITE_SHIM_H
#define HOPE_MAP_SQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int hope_sqlite3_db_config_switch(sqlite3 *database, int option, int value) {
    int now = 0;
    return sqlite3_db_config(database, option, value, &now);
}

// SQLITE_TRANSIENT is a cast of -1 to a function, which Swift cannot say.
static inline int hope_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int hope_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
