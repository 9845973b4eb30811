import { expect, test, vi } from 'vitest';
import { offered } from './use-offered.ts';

const again = { isAskedAgain: true, isAskingAgain: false, askAgain: vi.fn() };
const refused = (status: number, code?: string) => ({
  ok: false as const,
  problem: { title: '', status, detail: '', errors: code ? [{ code, description: '' }] : [] },
});

test("an offer is over only by the server's word", () => {
  expect(offered(refused(400, 'InvalidToken'), again)).toEqual({ kind: 'over', isAskedAgain: true });
});

test.each([0, 400, 429, 500, 503])(
  'after a refusal with %j it may still be good, and can be asked again',
  (status) => {
    const answer = refused(status);
    const { isAskingAgain, askAgain } = again;
    expect(offered(answer, again)).toEqual({
      kind: 'unknown',
      problem: answer.problem,
      isAskingAgain,
      askAgain,
    });
  },
);
