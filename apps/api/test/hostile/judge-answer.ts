import { problemSchema } from '@brightpane/contract/problem';
import type { LightMyRequestResponse } from 'fastify';
import { MARK } from './spoil.ts';

const problemShape = problemSchema.strict();

/** Text that only the program's internals would produce. */
const INSIDES =
  /node_modules|\.ts:\d|\bat \S+ \(|\b(?:select|insert into|update|delete from)\b.*\b(?:from|set|values|where)\b|\brelation "|syntax error|violates|drizzle|postgres|\bpg_|ECONN|Zod|FST_|ERR_/i;

/** Random challenges, tokens and secrets in links: any three letters turn up in one now and then. */
const DRAWN = /(?<=["=])[\w-]{20,}(?=["&])/g;

type Leave = {
  /** The office's import may quote an invalid value to the office that sent it. */
  mayQuote?: boolean;
};

/**
 * What is wrong with a refusal, in words. Every refusal has the same shape and a message, reveals nothing internal and
 * never repeats its input.
 */
export function judgeRefusal(answer: LightMyRequestResponse, status: number, leave: Leave = {}): string[] {
  const faults = judgeAnswer(answer, leave);
  if (answer.statusCode !== status) faults.push(`${answer.statusCode} in place of ${status}`);
  const type = String(answer.headers['content-type']);
  if (!/^application\/(?:problem\+)?json/.test(type)) return [...faults, `is ${type}`];
  const problem = problemShape.safeParse(answer.json());
  if (!problem.success) faults.push('has another shape than a problem');
  else if (problem.data.status !== answer.statusCode) faults.push('says another status');
  else if (problem.data.detail === '') faults.push('says nothing');
  return faults.length > 0 ? [...faults, answer.body] : [];
}

/** The same for any answer. */
export function judgeAnswer(
  { headers, body }: LightMyRequestResponse,
  { mayQuote = false }: Leave = {},
): string[] {
  const faults: string[] = [];
  if (INSIDES.test(body.replace(DRAWN, ''))) faults.push('tells of our insides');
  const isRepeated =
    body.includes(MARK) || Object.values(headers).some((value) => String(value).includes(MARK));
  if (isRepeated && !mayQuote) faults.push('repeats what was sent');
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('may be sniffed');
  if (!String(headers['cache-control']).includes('no-store')) faults.push('may be kept');
  if ('server' in headers || 'x-powered-by' in headers) faults.push('names the server');
  return faults;
}
