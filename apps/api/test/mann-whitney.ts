/**
 * The probability that two samples of the same distribution differ as much as these (Mann and Whitney). Two-sided, by
 * the normal approximation, which is accurate from twenty values on.
 */
export function mannWhitneyP(one: number[], other: number[]): number {
  const ranked = [
    ...one.map((value) => ({ value, first: true })),
    ...other.map((value) => ({ value, first: false })),
  ]
    .sort((a, b) => a.value - b.value)
    .reduce((sum, { first }, index) => sum + (first ? index + 1 : 0), 0);
  const pairs = one.length * other.length;
  const u = ranked - (one.length * (one.length + 1)) / 2;
  const z = (u - pairs / 2) / Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
  return 2 * (1 - standardNormal(Math.abs(z)));
}

/** Abramowitz and Stegun 26.2.17, accurate to 10⁻⁷. */
function standardNormal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
