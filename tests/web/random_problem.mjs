// Small random problems for the window, from a seed: the same seed gives the same problems.

// Mulberry32, a generator of 32 bits.
export function random_from(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

// By flag.
export function random_problem(random, schedules) {
  const whole = (low, high) => low + Math.floor(random() * (high - low + 1));
  const one_of = list => list[whole(0, list.length - 1)];
  const window = one_of(['window', 'window-bottom-right']) + `:${whole(0, 9)}:${whole(0, 9)}`;
  const kv_heads = one_of([1, 1, 2, 3]), schedule = one_of(schedules);
  return {
    schedule, batch: one_of([1, 1, 2]), heads: kv_heads * one_of([1, 1, 2, 4]), 'kv-heads': kv_heads,
    'n-q': whole(1, 24), 'n-kv': whole(1, 24), d: whole(1, 16),
    mask: one_of(['none', 'causal', 'causal-bottom-right', window]), br: whole(1, 9), bc: whole(1, 9),
    ...(schedule == 'split_kv' && {splits: whole(1, 4)}), order: one_of(['forward', 'forward', 'reverse']),
    dtype: one_of(['fp32', 'fp32', 'fp16', 'bf16']), base: one_of(['e', '2']),
    distribution: one_of(['normal', 'uniform', 'integers']), seed: whole(0, 2 ** 31), sram: 2 ** 20,
  };
}
export const words_of_problem = problem =>
  Object.entries(problem).map(([flag, value]) => `--${flag} ${value}`).join(' ');
