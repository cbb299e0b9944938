// Signals: a clean end on request (Ctrl-C, SIGTERM, or SIGHUP of a terminal that was closed), and a sentence with exit
// 4 where a fault would end the program silently.
#pragma once

namespace tilewalk {

// From now on the first such request removes part files (files/part_files), writes "interrupted" to stderr and ends the
// program with 128 plus the signal's number.
void end_on_interrupts();
// From now on the first request only sets a flag, so that finished work can be saved. The second one ends the program
// as above, and so does a work step that does not end within two seconds, unless the verb saves its finished work and
// requests unlimited patience.
enum class Patience { TwoSeconds, Unlimited };
void catch_interrupts(Patience = Patience::TwoSeconds);
bool interrupted();
int interrupted_code();  // 128 plus the signal's number: 130 for Ctrl-C

// From now on a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) removes part files, names its signal and ends the
// program with 4: some graphics drivers fault where memory is short. Where core dumps are allowed (ulimit -c), the
// fault ends the program by its signal, as it would without this. No effect under a sanitizer, which reports faults
// itself.
void end_on_faults();

}  // namespace tilewalk
