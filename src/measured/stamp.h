// The stamps of a traced build of flash_v3: each says what has just ended in one role of a thread block. The kernel
// writes them (kernels/fast/record.h), assets/measurements/flash_v3_stamps_*.csv stores each as its letter, and
// chip_timeline reads them. Plain C++ that CUDA also compiles. The interval of a stamp begins at the lane's previous
// stamp.
#pragma once

namespace tilewalk {

enum class Stamp : char {
  Start = 'b',  // the lane's first stamp
  // producer: the scheduler assigned a work tile; consumer: the wait for one. WorkTile, QWait, QLoad and Store have the
  // number of a work tile, all others that of a KV tile
  WorkTile = 'w',
  Skip = 'x',          // consumer: a tile that its rows do not see, released for the other consumers
  Turn = 't',          // consumer: the wait for the tensor cores' turn
  QWait = 'a',         // producer: the wait until Q's buffer is free; consumer: until Q has arrived
  KWait = 'k',         // producer: the wait for a free stage of K; consumer: until K has arrived
  VWait = 'v',         // producer: the wait for a free stage of V; consumer: until V has arrived
  QLoad = 'Q',         // producer: the copy of Q started; watcher: Q arrived
  KLoad = 'K',         // producer: the copy of a tile of K started; watcher: it arrived
  VLoad = 'V',         // producer: the copy of a tile of V started; watcher: it arrived
  KRefill = 'l',       // consumer that loads: the next tile of K started
  VRefill = 'n',       // consumer that loads: the next tile of V started
  ScoresIssued = 'q',  // consumer: S = Q K^T issued
  Scores = 's',        // consumer: S seen to be done
  Softmax = 'e',       // consumer: row max, exponentials, row sum
  Correct = 'c',       // consumer: O rescaled where needed, P packed to 16 bits
  OutputIssued = 'p',  // consumer: O += P V issued
  Output = 'o',        // consumer: O seen to be done
  Store = 'z',         // consumer: O normalised, its store started
};

inline constexpr Stamp kStamps[] = {Stamp::Start,        Stamp::WorkTile, Stamp::Skip,    Stamp::Turn,
                                    Stamp::QWait,        Stamp::KWait,    Stamp::VWait,   Stamp::QLoad,
                                    Stamp::KLoad,        Stamp::VLoad,    Stamp::KRefill, Stamp::VRefill,
                                    Stamp::ScoresIssued, Stamp::Scores,   Stamp::Softmax, Stamp::Correct,
                                    Stamp::OutputIssued, Stamp::Output,   Stamp::Store};

constexpr bool is_stamp(char letter) {
  for (Stamp each : kStamps)
    if (letter == char(each)) return true;
  return false;
}

}  // namespace tilewalk
