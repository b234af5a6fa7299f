// SQLite's own interface, for the row table that our store is compared with.
#include <sqlite3.h>
