#ifndef HOPE_MAP_SQLITE_SHIM_H
#define HOPE_MAP_SQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int hope_sqlite3_db_config_switch(sqlite3 *database, int option, int value) {
    int now = 0;
    return sqlite3_db_config(database, option, value, &now);
}

#endif
