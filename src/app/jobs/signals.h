// Signals: a clean end when one asks for it (Ctrl-C, SIGTERM, or SIGHUP of a terminal that was closed), and a sentence
// with exit 4 where a fault would end the program without one.
#pragma once

namespace tilewalk {

// From now on the first such request removes part files (files/part_files), says "interrupted" on stderr and ends the
// program with 128 and the signal's number.
void end_on_interrupts();
// From now on the first of them only sets a flag, so that finished work can be kept. The second one ends the program as
// above, and so does a work step that does not end within two seconds, unless the verb keeps what it has finished and
// asks for unlimited patience.
enum class Patience { TwoSeconds, Unlimited };
void catch_interrupts(Patience = Patience::TwoSeconds);
bool interrupted();
int interrupted_code();  // 128 and the signal's number: 130 for Ctrl-C

// From now on a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) removes part files, says which signal it was and ends
// the program with 4: some graphics drivers fault where memory is short. Where core dumps are allowed (ulimit -c), the
// fault ends the program by its signal, as it would without this. Does nothing under a sanitizer, which reports faults
// itself.
void end_on_faults();

}  // namespace tilewalk
