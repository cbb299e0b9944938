// The headers that every test includes, as a source for the precompiled header.
#include "tests/support/catch.h"
