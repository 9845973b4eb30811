/** Why a person must decide on a refund, in the words shown after "Needs a decision: ". */
export const HELD_FOR = {
  unclaimed: 'the provider shows a refund that nobody has claimed',
  disputed: 'the charge is disputed',
  restored: 'the books were restored from a backup',
  'would-be-due': 'the invoice has changed, so that more would be due than was said, or it is overpaid',
  'more-than-left': 'more would go back than was charged',
  'not-captured': 'the provider does not show the charge as collected',
  'voided-there': 'the provider shows it as voided',
  'another-amount': 'the provider shows another amount',
  'another-order': 'the provider shows another order',
  'not-approved': 'the provider shows a refund that was not approved',
  'several-candidates': 'the provider shows more than one refund that may be this one',
  'not-ruled-out': 'after a day the provider shows neither that it was made nor that it was not',
  taken: "the provider's transaction belongs to another refund",
} as const;

export type HeldFor = keyof typeof HELD_FOR;

export const sayHeldFor = (heldFor: string | null): string =>
  `Needs a decision: ${heldFor !== null && heldFor in HELD_FOR ? HELD_FOR[heldFor as HeldFor] : 'its records do not agree'}.`;
