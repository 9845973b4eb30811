/**
 * Divides two integers and rounds halves away from zero, so that a credit rounds like a charge of the same size
 * (`Math.round` doesn't). Exact: throws a RangeError if the numerator is not a safe integer.
 */
export function divideRoundingHalfAwayFromZero(numerator: number, denominator: number): number {
  if (!Number.isSafeInteger(numerator)) throw new RangeError(`too large to divide exactly: ${numerator}`);
  const magnitude = Math.abs(numerator);
  const remainder = magnitude % denominator;
  const quotient = (magnitude - remainder) / denominator + (remainder * 2 >= denominator ? 1 : 0);
  return numerator < 0 && quotient !== 0 ? -quotient : quotient;
}
