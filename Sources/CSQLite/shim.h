#pragma once
#include <sqlite3.h>

// What Swift cannot call: a variadic function, and the macro SQLITE_TRANSIENT.

/// Closing this connection leaves the write-ahead log and the main file as they are.
static inline int samelist_keep_log_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Binds a copy; a null pointer of length 0 is the empty blob, not NULL.
static inline int samelist_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                     sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds a copy of UTF-8 text that need not end in a zero byte.
static inline int samelist_bind_text(sqlite3_stmt *statement, int index, const char *bytes,
                                     sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

// Beside SQLite, a call of the C library that Swift's view of it leaves out.

extern int renameat2(int, const char *, int, const char *, unsigned int);

/// Two names in one file system change hands, in one step (RENAME_EXCHANGE of linux/fs.h); -1 and
/// `errno` where that cannot be. The working folder is AT_FDCWD.
static inline int samelist_exchange_names(const char *one, const char *other) {
    return renameat2(-100, one, -100, other, 2);
}

/// A rename that replaces nothing, in one step (RENAME_NOREPLACE); -1 and `errno` EEXIST where the
/// new name is taken, EINVAL where the file system cannot do this.
static inline int samelist_rename_to_new(const char *from, const char *to) {
    return renameat2(-100, from, -100, to, 1);
}
