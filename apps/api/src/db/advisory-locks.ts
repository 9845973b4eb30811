/**
 * Every advisory lock that the portal takes. The numbers are chosen here alone: two uses of one number would wait for each
 * other. A number keeps its use, because instances of two versions run side by side during an update.
 */
export const ADVISORY_LOCKS = {
  /** One instance migrates while the others wait. */
  migration: 7_302_119,
  /** Imports wait for one another, so each sees what the one before it made. */
  import: 7_302_120,
  /** Instances that start together would otherwise change the same catalog rows. */
  grant: 7_302_121,
  /** Taken by the trigger that keeps an admin: two that take away the last two wait for each other. */
  admins: 7_302_122,
  /** One instance builds indexes while the others go on. */
  indexes: 7_302_130,
  /** One export at a time for each person or key: the first of two numbers, the second is theirs. */
  exports: 7_302_132,
  /** What one person or key asks to refund is counted one request after the other: the second number is theirs. */
  refunds: 7_302_133,
  /** One instance at a time keeps the words that customers are found by. */
  words: 7_302_131,
} as const;
