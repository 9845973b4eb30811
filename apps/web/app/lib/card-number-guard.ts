import { holdsCardNumber } from '@brightpane/contract/card-number';
import type { Problem, ProblemError } from '@brightpane/contract/problem';
import type { CallOptions } from './send-request.ts';

/** What the server would answer, so that forms show it as they show the server's own word. */
const REFUSAL = 'Please take the card number out of this field.';

/**
 * The refusal of a call that would carry a card number, or `null`. The server refuses it too, but then the number has
 * been on its way to us; here it does not leave the browser.
 */
export function refuseCardNumbers({ params, query, body }: CallOptions): Problem | null {
  const errors = [params, query, body].flatMap((part) => faultsIn(part, []));
  if (errors.length === 0) return null;
  return { title: 'Bad Request', status: 400, detail: REFUSAL, errors };
}

function faultsIn(value: unknown, path: string[]): ProblemError[] {
  if (typeof value === 'string') {
    return holdsCardNumber(value)
      ? [{ code: 'CardDataNotAllowed', description: REFUSAL, field: path.join('.') }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => faultsIn(part, [...path, name]));
}
