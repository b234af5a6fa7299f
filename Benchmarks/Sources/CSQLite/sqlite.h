// SQLite's C interface, for the row table that the store is compared with.
#include <sqlite3.h>
