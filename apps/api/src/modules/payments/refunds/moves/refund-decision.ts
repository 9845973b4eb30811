import type { Actor } from '../../../../db/audit.queries.ts';
import type { RefundMethod, RefundWait } from '../../../../db/schema/refunds.ts';
import type { HeldFor } from './held-for.ts';
import type { RefundEvent } from './refund-transitions.ts';

/** What the provider's own record says about a refund or a void. */
export type ProvedRefund = { transactionKey: string; reference: string; batchKey: string | null };

type Later = { againInSeconds: number; waitsFor?: RefundWait };

/** What each event's commit needs. */
type Facts = {
  approve: { actor: Actor & { id: string } };
  withdraw: unknown;
  expire: unknown;
  drop: unknown;
  send: { method: RefundMethod };
  'store-answer': ProvedRefund;
  confirm: { method: RefundMethod } & ProvedRefund;
  adopt: { method: RefundMethod } & ProvedRefund;
  lose: Later;
  'not-executed': Later;
  'batch-closed': Later;
  refuse: { words: string };
  'rule-out': unknown;
  hold: { heldFor: HeldFor };
  /** The provider's refunds that the person has seen. */
  'keep-asking': { knownKeys: string[] };
  undo: unknown;
};

/** What was observed about a refund. For events and states see `refund-transitions.ts`. */
export type SeenOf<Event extends RefundEvent> = { [Each in Event]: { event: Each } & Facts[Each] }[Event];

export type RefundDecision = {
  refundId: string;
  /** Set by a sweep worker; keeps out whoever leased the row before. */
  fence?: number | undefined;
  actor?: Actor | undefined;
  note?: string | undefined;
} & SeenOf<RefundEvent>;
