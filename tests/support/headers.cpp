// What every test includes, so that there is something to compile it with.
#include "tests/support/catch.h"
