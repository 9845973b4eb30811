import { readJsonAnswer } from './read-json-answer.ts';
import type { OneAnswer } from './send-once.ts';

export type Body = Record<string, unknown>;

/** A whole answer that holds one JSON object; `null` for everything else. */
export type ParsedAnswer = { status: number; body: Body } | null;

export function parseAnswer(answer: OneAnswer): ParsedAnswer {
  if (answer.kind !== 'answer') return null;
  const body = readJsonAnswer(answer.text);
  return isObject(body) ? { status: answer.status, body } : null;
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer ones are none of the provider's, and don't fit into an index. */
const LONGEST_TEXT = 500;

/** Text that can be stored: Postgres takes neither a NUL nor half a character. */
export const isText = (value: unknown, longest = LONGEST_TEXT): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= longest &&
  !value.includes('\0') &&
  value.isWellFormed();

/** Whether a field has a value, even one that can't be used. */
export const isSet = (value: unknown) => value !== undefined && value !== null && value !== '';

/** What a field says as text or number. Anything else says nothing: an object may not even have a text form. */
export const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
