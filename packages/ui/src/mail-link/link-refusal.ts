import type { Problem } from '@brightpane/contract/problem';
import { mayBeDone } from '@brightpane/contract/wait-advice';
import { isUseLost, noteLostUse } from './mail-link.ts';

/**
 * A mailed link's refusal. A link works once, so one whose use got no certain answer, which is kept here, may be refused
 * because it has worked: then the message says so.
 */
export function linkRefusal(message: string, problem: Pick<Problem, 'status' | 'errors'>): string {
  if (mayBeDone(problem)) noteLostUse();
  const isRefused = problem.errors.some(({ code }) => code === 'InvalidToken');
  return isRefused && isUseLost() ? `${message} ${MAY_HAVE_WORKED}` : message;
}

const MAY_HAVE_WORKED = 'An earlier press may have worked: try to sign in.';
