// Records operations whose lines are known: PROGRAM FILE.
#include "lines.h"

int main(int, char** arguments) { lines::record(arguments[1]); }
