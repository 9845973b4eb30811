import type { Problem } from '@brightpane/contract/problem';
import type { Cents } from '@brightpane/money/cents';

/** Why a payment that had begun was abandoned: nothing was charged for it. */
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

/** An accepted payment that could not be collected, or not all of it. */
export type CaptureFailure = { code: 'capture-failed'; paid: PaidWorkOrder[]; dueAgain: PaidWorkOrder[] };

export type Paid = { code: 'paid'; amountCents: Cents; references: string[] };

/** Of a payment that was decided before outcomes were stored: as its payer was told. */
export type ToldBefore = { code: 'told-before'; status: number; body: Problem };

/** How a payment ended: kept in the commit that decided it, and the truth for whoever uses its key again. */
export type StoredOutcome = Paid | { code: 'card-added' } | Abandonment | CaptureFailure | ToldBefore;
