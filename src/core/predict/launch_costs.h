// What launching costs on the card, and on the processor that launches. A card's time is that of a call between two
// events, queued behind other work: then the processor has launched it before its turn comes. This is also the time of
// a call in a graph or in a long queue. Launches of one stream follow one another; what a launch costs is not hidden by
// the one before. Where the processor launches too late, it sets the time, which differs from machine to machine.
//
// Sources: assets/measurements/launches_h100_2026-11-27.csv and the same of an H200, each measured alone: kernels
// without work between two events (bench_launches.py). As a graph a further launch costs 1.1 µs instead of 1.7 (H200)
// to 2.0 (H100); two streams gain nothing for kernels that fill the card. The processor's times:
// operations_h200_2026-11-22.csv, the median of calls with almost no work. Other cards and drivers are assumed to take
// as long.
#pragma once

namespace tilewalk {

// Two events and one kernel without work between them, of which the events alone take 1.2; each further kernel.
inline constexpr double kFirstLaunch = 3.07e-6, kNextLaunch = 1.85e-6;

// Processor time for a launch: of this project's kernels, an operation of PyTorch, one of a library.
inline constexpr double kOwnLaunch = 17.9e-6, kPyTorchOperation = 15.7e-6, kLibraryLaunch = 14.1e-6;
// How many times longer launches took on another host with the same card (launches_h200_2026-11-23.csv).
inline constexpr double kSlowerProcessor = 1.6;

// Of so many kernels, one after the other.
constexpr double launches_s(int count) { return count <= 0 ? 0 : kFirstLaunch + (count - 1) * kNextLaunch; }

}  // namespace tilewalk
