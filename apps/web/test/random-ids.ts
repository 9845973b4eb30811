/** Random ids as calls contain them. The same seed gives the same ids. */
export const randomIds = {
  uuid: (seed: number) => {
    const hex = textOf(seed, '0123456789abcdef');
    const variant = textOf(seed + 1, '89ab');
    return () => `${hex(8)}-${hex(4)}-4${hex(3)}-${variant(1)}${hex(3)}-${hex(12)}`;
  },
  /** The provider's one-time key for a card. */
  paymentKey: (seed: number) => {
    const text = textOf(seed, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    return () => text(22);
  },
  base64url: (seed: number) => {
    const text = textOf(seed, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    return () => text(43);
  },
  digits: (seed: number) => {
    const text = textOf(seed, '0123456789');
    return () => text(15);
  },
};

function textOf(seed: number, alphabet: string): (length: number) => string {
  const random = mulberry32(seed);
  return (length) => {
    let text = '';
    for (let index = 0; index < length; index++) text += alphabet[Math.floor(random() * alphabet.length)];
    return text;
  };
}

/** A small generator of sufficiently random numbers from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
