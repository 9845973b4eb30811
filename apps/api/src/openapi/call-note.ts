import type { Content } from './api-description.ts';

/** What no schema says about a call. */
export type CallNote = {
  summary: string;
  /** Everybody may call it, without any key. */
  isOpen?: true;
  /** The refusals of this call's own, beside those that every call may answer. */
  refusals?: number[];
  /** Where the answer, or the body, is not what the route's schema says: by content type. */
  answer?: Content;
  alsoAnswers?: Record<number, string>;
  body?: Content;
  headers?: 'card' | 'payment' | 'payment of one invoice';
  /** Where the route reads its query by itself. */
  query?: string[];
  /** What it is about, where its address does not begin with that. */
  group?: string;
};
