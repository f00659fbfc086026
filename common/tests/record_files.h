/* The headers of a record's two files. */
#ifndef RECORD_FILES_H
#define RECORD_FILES_H

#include "files.h"
#include "referee/record/record.h"

enum { LINE_BYTES = 1024 };

#endif
