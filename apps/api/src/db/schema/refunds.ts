export const REFUND_STATES = [
  'requested',
  'waiting',
  'sending',
  'unknown',
  'held',
  'made',
  'refused',
  'not_made',
  'withdrawn',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What an unsent refund waits for; shown to people. */
export type RefundWait = 'settlement' | 'keys' | 'older-list';
export type RefundMethod = 'void' | 'refund';
export type RefundEffect = 'due-again' | 'credited';
