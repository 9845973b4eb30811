/** Decisions that the provider's records allow or refuse. */
export const PROVABLE_DECISIONS = ['release', 'close', 'reverse'] as const;

/** What a signed-in person saw in the provider's own console, where its answers to us can't end a charge. */
export const TESTIMONIES = ['collected', 'nothing-taken'] as const;

export const REVIEW_DECISIONS = [...PROVABLE_DECISIONS, ...TESTIMONIES] as const;

export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];
export type Testimony = (typeof TESTIMONIES)[number];

export const isTestimony = (decision: ReviewDecision): decision is Testimony =>
  (TESTIMONIES as readonly string[]).includes(decision);
