import { sayHeldFor } from '../../payments/refunds/moves/held-for.ts';
import type { RefundEvent } from '../../payments/refunds/moves/refund-transitions.ts';
import type { RefundActRow } from './refund-rows.queries.ts';

const ACT = /^refund: /;

const TEXTS: Record<RefundEvent | 'request' | 'close', string> = {
  request: 'Requested',
  approve: 'Approved',
  withdraw: 'Withdrawn',
  expire: 'Withdrawn: nobody approved it in time',
  drop: 'Withdrawn: the payment was not collected',
  send: 'Sent to the provider',
  'store-answer': 'The provider answered',
  confirm: 'Made: the provider’s record shows it',
  adopt: 'The provider’s transaction was adopted',
  lose: 'No answer yet',
  'not-executed': 'Nothing happened there; waits to be sent again',
  'batch-closed': 'The batch closed before the void; waits for settlement',
  refuse: 'Refused',
  'rule-out': 'Not made',
  hold: 'Held for a decision',
  'keep-asking': 'Kept asking',
  undo: 'Undone: the provider took it back',
  close: 'Closed with a note',
};

const METHODS = { void: 'As a void of the whole charge', refund: 'As a refund' };

const eventOf = ({ action }: RefundActRow) => action.replace(ACT, '');

/** A refund's act in words. */
export function presentAct(act: RefundActRow) {
  const event = eventOf(act);
  const told = [
    act.method && METHODS[act.method],
    act.words,
    act.heldFor !== null && sayHeldFor(act.heldFor),
    act.note,
  ].filter((part) => typeof part === 'string' && part !== '');
  return {
    at: new Date(act.at).toISOString(),
    by: act.by,
    event,
    text: TEXTS[event as keyof typeof TEXTS] ?? event,
    detail: told.length === 0 ? null : told.join(' · '),
  };
}
