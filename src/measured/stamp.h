// The stamps that a traced build of flash_v3 leaves: what has just ended in one role of a thread block. The kernel
// writes them (kernels/fast/record.h), assets/measurements/flash_v3_stamps_*.csv keeps each as its letter, and
// chip_timeline reads them. Plain C++ that CUDA takes too. What began is what the lane's stamp before it ended.
#pragma once

namespace tilewalk {

enum class Stamp : char {
  Start = 'b',         // the lane's first stamp
  WorkTile = 'w',      // producer: a work tile handed out; consumer: the wait for one. Of a work tile, as are QWait,
                       // QLoad and Store; all others are of a KV tile
  Skip = 'x',          // consumer: a tile that its rows do not see, passed on to the others
  Turn = 't',          // consumer: the wait for the tensor cores' turn
  QWait = 'a',         // producer: the wait for Q's place to be free; consumer: for Q to land
  KWait = 'k',         // producer: the wait for a free stage of K; consumer: for K to land
  VWait = 'v',         // producer: the wait for a free stage of V; consumer: for V to land
  QLoad = 'Q',         // producer: the copy of Q started; watcher: Q landed
  KLoad = 'K',         // producer: the copy of a tile of K started; watcher: it landed
  VLoad = 'V',         // producer: the copy of a tile of V started; watcher: it landed
  KRefill = 'l',       // consumer that loads: the next tile of K started
  VRefill = 'n',       // consumer that loads: the next tile of V started
  ScoresIssued = 'q',  // consumer: S = Q K^T issued
  Scores = 's',        // consumer: S seen to be done
  Softmax = 'e',       // consumer: row max, exponentials, row sum
  Correct = 'c',       // consumer: O rescaled where needed, P packed to 16 bits
  OutputIssued = 'p',  // consumer: O += P V issued
  Output = 'o',        // consumer: O seen to be done
  Store = 'z',         // consumer: O normalised and sent off
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
