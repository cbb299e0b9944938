// stdin, stdout and stderr, in whatever state they were handed over. Words on stderr are lost in silence where nobody
// can take them; words on stdout are results, so that their loss is found out at the end, and the exit code says so.
#pragma once

#include <string>

namespace tilewalk {

// First of all: a stream that is closed becomes one that refuses, so that no file is opened in its place and takes in
// the words; and a file that grows past its limit is an error rather than the end of the program.
void hold_streams();

void to_stderr(const std::string& text);
void complain(const std::string& sentence);  // to stderr: "tilewalk: SENTENCE"

bool stdout_failed();  // something that was said there is lost already
bool close_stdout();   // last of all: true if all that was said there has been taken; else complains

}  // namespace tilewalk
