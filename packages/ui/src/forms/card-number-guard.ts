import { holdsCardNumber, phoneHoldsCardNumber } from '@brightpane/contract/card-number';
import type { Problem, ProblemError } from '@brightpane/contract/problem';

/** The server's own sentence, so that a form shows the same one. */
const REFUSAL = 'Please take the card number out of this field.';

/**
 * Refuses a call that would send a card number typed into one of these fields; `null` if there is none. The server
 * refuses it too, but only after the number has left the browser.
 */
export function refuseTypedCardNumbers(typedFields: ReadonlySet<string>, parts: unknown[]): Problem | null {
  const errors = parts.flatMap((part) => faultsIn(part, [], typedFields));
  if (errors.length === 0) return null;
  return { title: 'Bad Request', status: 400, detail: REFUSAL, errors };
}

function faultsIn(value: unknown, path: string[], typedFields: ReadonlySet<string>): ProblemError[] {
  if (typeof value === 'string') {
    const name = path.at(-1) ?? '';
    return typedFields.has(name) && holdsNumber(name, value)
      ? [{ code: 'CardDataNotAllowed', description: REFUSAL, field: path.join('.') }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => faultsIn(part, [...path, name], typedFields));
}

function holdsNumber(name: string, value: string): boolean {
  return name === 'phone' ? phoneHoldsCardNumber(value) : holdsCardNumber(value);
}
