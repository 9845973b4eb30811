/** Reproducible randomness: everything in a simulation is drawn from one seed. */
export type SeededRandom = {
  /** From 0 up to but excluding `below`. */
  integer(below: number): number;
  percent(chance: number): boolean;
  perMille(chance: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** An independent stream, so that one part drawing more doesn't change what another draws. */
  fork(): SeededRandom;
};

/** Tommy Ettinger's mulberry32: small, fast, and good enough for shuffling. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const integer = (below: number) => next() % below;
  return {
    integer,
    percent: (chance) => integer(100) < chance,
    perMille: (chance) => integer(1000) < chance,
    pick(items) {
      const item = items[integer(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    fork: () => seededRandom(next()),
  };
}
