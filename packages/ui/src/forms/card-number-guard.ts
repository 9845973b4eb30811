import { holdsCardNumber, isCardNumberOnly, phoneHoldsCardNumber } from '@brightpane/contract/card-number';
import type { Problem, ProblemError } from '@brightpane/contract/problem';

/** The server's own sentence, so that a form shows the same one. */
const REFUSAL = 'Please take the card number out of this field.';

/** Fields by their names in calls. */
export type JudgedFields = {
  typed: ReadonlySet<string>;
  /** Keys made by programs: some hold what looks like a card number, so only one that is nothing else is refused. */
  keys: ReadonlySet<string>;
};

/**
 * Refuses a call that would send a card number typed into one of these fields; `null` if there is none. The server
 * refuses it too, but only after the number has left the browser.
 */
export function refuseTypedCardNumbers(fields: JudgedFields, parts: unknown[]): Problem | null {
  const errors = parts.flatMap((part) => faultsIn(part, [], fields));
  if (errors.length === 0) return null;
  return { title: 'Bad Request', status: 400, detail: REFUSAL, errors };
}

function faultsIn(value: unknown, path: string[], fields: JudgedFields): ProblemError[] {
  if (typeof value === 'string') {
    return holdsNumber(path.at(-1) ?? '', value, fields)
      ? [{ code: 'CardDataNotAllowed', description: REFUSAL, field: path.join('.') }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => faultsIn(part, [...path, name], fields));
}

function holdsNumber(name: string, value: string, { typed, keys }: JudgedFields): boolean {
  if (keys.has(name)) return isCardNumberOnly(value);
  if (!typed.has(name)) return false;
  return name === 'phone' ? phoneHoldsCardNumber(value) : holdsCardNumber(value);
}
