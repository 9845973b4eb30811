import type { AuditItem } from '@brightpane/contract/office/audit';

/** `key:Nightly import` is a program; acts that nobody did by hand are the portal's. */
export function whoWords({ kind, name }: AuditItem['who']): string {
  if (kind === 'key') return `Key ${name.replace(/^key:/, '')}`;
  return kind === 'portal' ? 'The portal' : name;
}

/** Acts on a refund, in the words of the refund's page. */
const REFUND_ACTS: Record<string, string> = {
  request: 'Refund requested',
  approve: 'Refund approved',
  withdraw: 'Refund withdrawn',
  expire: 'Refund withdrawn: not approved in time',
  drop: 'Refund withdrawn: not collected',
  send: 'Refund sent to the provider',
  'store-answer': 'Refund answered by the provider',
  confirm: 'Refund made',
  adopt: 'Refund adopted from the provider',
  lose: 'Refund without an answer yet',
  'not-executed': 'Refund to be sent again: nothing happened',
  'batch-closed': 'Refund waits for settlement',
  refuse: 'Refund refused',
  'rule-out': 'Refund not made',
  hold: 'Refund held for a decision',
  'keep-asking': 'Refund asked about further',
  undo: 'Refund undone',
  close: 'Refund closed with a note',
};

const REFUND = 'refund: ';

/** `staff.add` → `Staff add`, `merchant-keys-changed` → `Merchant keys changed`. */
export function actionWords(action: string): string {
  const refunded = action.startsWith(REFUND) ? REFUND_ACTS[action.slice(REFUND.length)] : undefined;
  if (refunded !== undefined) return refunded;
  const words = action.replace(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value before or after, as text; objects become JSON. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
