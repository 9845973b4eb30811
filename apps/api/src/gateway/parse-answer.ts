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

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
