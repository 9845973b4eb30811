import type { Problem } from '@brightpane/contract/problem';
import type { Cents } from '@brightpane/money/cents';

/** Why a begun payment was abandoned; nothing was charged. */
export type Abandonment =
  | { code: 'not-asked'; franchise?: string | null }
  | { code: 'declined'; sentence: string; franchise: string | null }
  | { code: 'not-in-full'; franchise: string | null }
  | { code: 'verification'; franchise: string | null }
  | { code: 'unclear'; franchise?: string | null }
  | { code: 'expired' }
  | { code: 'changed-meanwhile'; workOrderNumber: number; balanceCents: Cents }
  | { code: 'changed-unseen' };

export type PaidWorkOrder = { workOrderNumber: number; amountCents: Cents };

/** An accepted payment of which some or all could not be collected. */
export type CaptureFailure = { code: 'capture-failed'; paid: PaidWorkOrder[]; dueAgain: PaidWorkOrder[] };

export type Paid = { code: 'paid'; amountCents: Cents; references: string[] };

/** A payment decided before outcomes were stored: the answer its payer got. */
export type ToldBefore = { code: 'told-before'; status: number; body: Problem };

/** How a payment ended. Stored in the commit that decided it, and the truth for every replay of its key. */
export type StoredOutcome = Paid | { code: 'card-added' } | Abandonment | CaptureFailure | ToldBefore;
