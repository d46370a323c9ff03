// SQLite itself, for tests that look into store files without the library.

#include <sqlite3.h>
