import type { Change, Ledger } from './ledger/ledger.ts';
import type { Transaction } from './ledger/records.ts';
import type { Merchant } from './merchants/merchants.ts';
import type { Switches } from './switches.ts';

/** An outcome that a fault forces on a charge, or on a refund (`error`, `decline`), instead of the card's own. */
export type ForcedOutcome = 'partial' | 'verify' | 'error' | 'decline';

/** One authenticated call, as the handlers see it. */
export interface Call {
  merchant: Merchant;
  ledger: Ledger;
  switches: Switches;
  body: Record<string, unknown>;
  /** The body, if it is an array. */
  items: unknown[];
  query: URLSearchParams;
  params: Record<string, string>;
  now: number;
  /** The caller's ApiTimeout: a result that takes longer is refused or reversed. */
  timeoutSeconds?: number;
  forcedOutcome?: ForcedOutcome;
}

/** An event for the webhooks. */
export type WebhookNotice =
  | { event: string; transaction: Transaction }
  | { event: string; object: Record<string, unknown> };

/** A call's planned changes and answer. Nothing happens until the changes are committed. */
export interface Plan {
  status: number;
  body: unknown;
  changes: Change[];
  notices?: WebhookNotice[];
}

export type Handler = (call: Call) => Plan;
