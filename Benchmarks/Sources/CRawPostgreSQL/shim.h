#include <libpq-fe.h>
#include <malloc.h>
