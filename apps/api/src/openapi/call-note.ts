import type { Content } from './api-description.ts';
import type { HEADERS } from './call-headers.ts';

/** What no schema tells about a call. */
export type CallNote = {
  summary: string;
  /** Anyone may call it, without a key. */
  isOpen?: true;
  /** Refusals specific to this call, besides those that every call may answer. */
  refusals?: number[];
  /** People who open its link in a browser read refusals as a page. */
  refusesWithPages?: true;
  /** The answer or body by content type, if it differs from the route's schema. */
  answer?: Content;
  alsoAnswers?: Record<number, string>;
  body?: Content;
  headers?: keyof typeof HEADERS;
  /** For routes that parse their query themselves. */
  query?: Record<string, 'required' | 'optional'>;
  /** The call's group, if its path doesn't start with it. */
  group?: string;
};
