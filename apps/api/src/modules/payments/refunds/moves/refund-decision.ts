import type { Actor } from '../../../../db/audit.queries.ts';
import type { RefundMethod, RefundWait } from '../../../../db/schema/refunds.ts';
import type { HeldFor } from './held-for.ts';
import type { RefundEvent } from './refund-transitions.ts';

/** What the provider's own record says of a refund or a void. */
export type ProvedRefund = { transactionKey: string; reference: string; batchKey: string | null };

type Later = { againInSeconds: number; waitsFor?: RefundWait };

/** What the commit of each event needs. */
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
  /** The provider's refunds that a person has seen. */
  'keep-asking': { knownKeys: string[] };
  undo: unknown;
};

/** What was seen of a refund. The events and their states: `refund-transitions.ts`. */
export type SeenOf<Event extends RefundEvent> = { [Each in Event]: { event: Each } & Facts[Each] }[Event];

export type RefundDecision = {
  refundId: string;
  /** Of a worker of the sweep: whoever had the row before is shut out. */
  fence?: number | undefined;
  actor?: Actor | undefined;
  note?: string | undefined;
} & SeenOf<RefundEvent>;
