/**
 * All advisory locks of the portal. Numbers are assigned only here, as two uses of one number would block each other. A
 * number keeps its meaning, because two versions run side by side during an update.
 */
export const ADVISORY_LOCKS = {
  /** One instance migrates while the others wait. */
  migration: 7_302_119,
  /** Imports run one after another, so that each sees the result of the previous one. */
  import: 7_302_120,
  /** Instances that start together would otherwise change the same catalog rows. */
  grant: 7_302_121,
  /** Taken by the trigger that keeps the last admin, so that two removals at once run one after the other. */
  admins: 7_302_122,
  /** One instance builds indexes while the others carry on. */
  indexes: 7_302_130,
  /** One export at a time per person or key; this is the lock's first number, their hash the second. */
  exports: 7_302_132,
  /** Checks one person's or key's refund requests one after another; their hash is the lock's second number. */
  refunds: 7_302_133,
  /** Decides one after another whether refunds of an invoice are sent; its hash is the lock's second number. */
  sends: 7_302_134,
  /** Taken by the function that counts listings, so that two accounts don't both take the last one of all. */
  listings: 7_302_135,
  /** One instance at a time updates the words by which customers are found. */
  words: 7_302_131,
} as const;
