import type { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';

export type CallName = keyof typeof OFFICE_ENDPOINTS;
type Answer = { statusCode: number; body: string };

/** Makes ready what a call is about, and returns the call, made once in a way that succeeds. */
export type Write = () => Promise<() => PromiseLike<Answer>>;
export type Writes = Partial<Record<CallName, Write>>;
