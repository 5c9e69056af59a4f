#pragma once
#include <popt.h>

// popt gives a struct and a pointer to it the same name, which Swift cannot tell apart.
typedef struct poptOption PoptEntry;
