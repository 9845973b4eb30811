import { createHash } from 'node:crypto';

/**
 * The version of what a person reads before they say **Keep asking**: why the refund is held, and the provider's refunds
 * that nobody has claimed. A 28-bit number, like a franchise's.
 */
export function stampHeldRefund({
  heldFor,
  unclaimedKeys,
}: {
  heldFor: string | null;
  /** Without voided ones. */
  unclaimedKeys: string[];
}): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([heldFor, ...unclaimedKeys.toSorted()]))
    .digest();
  return hash.readUInt32BE() >>> 4;
}
