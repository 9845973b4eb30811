import { problemSchema } from '@brightpane/contract/problem';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { MARK } from './spoil.ts';

const problemShape = problemSchema.strict();

/** What only a program's inside would say. */
const INSIDES =
  /node_modules|\.ts:\d|\bat \S+ \(|\b(?:select|insert into|update|delete from)\b.*\b(?:from|set|values|where)\b|\brelation "|syntax error|violates|drizzle|postgres|\bpg_|ECONN|Zod|FST_|ERR_/i;

/** A refusal as every refusal must be: the problem shape, in words, and nothing of the request or of our insides in it. */
export function expectRefusal(answer: LightMyRequestResponse, status: number): void {
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/(?:problem\+)?json/);
  const problem = problemShape.parse(answer.json());
  expect(problem.status).toBe(status);
  expect(problem.detail).not.toBe('');
  expectNothingToldAbout(answer);
}

/** No answer says what we are made of, or repeats what it was sent. */
export function expectNothingToldAbout(answer: LightMyRequestResponse): void {
  const whole = `${JSON.stringify(answer.headers)}\n${answer.body}`;
  expect(answer.body).not.toMatch(INSIDES);
  expect(whole).not.toContain(MARK);
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringContaining('no-store'),
  });
  expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['server']));
  expect(answer.headers).not.toHaveProperty('x-powered-by');
}
