import type { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';

export type CallName = keyof typeof OFFICE_ENDPOINTS;
type Answer = { statusCode: number; body: string };

/** Prepares what a call is about; returns the call, to be made once and to succeed. */
export type Write = () => Promise<() => PromiseLike<Answer>>;
export type Writes = Partial<Record<CallName, Write>>;
