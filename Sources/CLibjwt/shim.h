#pragma once
#include <jwt.h>
