import type { Problem } from '@brightpane/contract/problem';
import { NO_ANSWER, type Refusal, readRetryAfter } from '@brightpane/contract/wait-advice';

/** The outcome of a call. `data` is undefined if the answer was empty. */
export type Answer<Data> = { ok: true; data: Data } | { ok: false; problem: RefusedCall };

/** Why a call was refused, and when to retry. */
export type RefusedCall = Problem & Refusal;

/** Longer than the server ever takes for a payment. */
const LONGEST_WAIT_MILLISECONDS = 90_000;

/** Makes one call. Network failures never throw; they come back as problems. */
export function askServer<Data>(url: string, init: RequestInit): Promise<Answer<Data>> {
  return readAnswer(() => fetch(url, { ...init, signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS) }));
}

/** The outcome of a call that `ask` makes, or made earlier. */
export async function readAnswer<Data>(ask: () => Promise<Response>): Promise<Answer<Data>> {
  try {
    const response = await ask();
    const text = await response.text();
    if (!response.ok) {
      const retryAfterSeconds = readRetryAfter(response.headers);
      return { ok: false, problem: { ...readProblem(response.status, text), retryAfterSeconds } };
    }
    return { ok: true, data: (text === '' ? undefined : JSON.parse(text)) as Data };
  } catch {
    return unanswered();
  }
}

/** The outcome of a call that nobody answered. */
export function unanswered(): { ok: false; problem: RefusedCall } {
  return { ok: false, problem: { title: 'No answer', status: NO_ANSWER, detail: '', errors: [] } };
}

/** A failed answer as a problem, whatever its body holds. The status is always the answer's own. */
export function readProblem(status: number, text: string): Problem {
  const body = parseObject(text);
  return {
    title: typeof body.title === 'string' ? body.title : '',
    status,
    detail: typeof body.detail === 'string' ? body.detail : '',
    errors: Array.isArray(body.errors) ? body.errors.filter(isProblemError) : [],
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isProblemError(value: unknown): value is Problem['errors'][number] {
  const { code, description } = (value ?? {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof description === 'string';
}
