import type { WireAnswer } from '../../../../../apps/api/src/modules/payments/pay/replay/payment-answer.ts';
import { hear } from '../../simulation/people/pay.ts';
import type { Told } from '../judge.ts';

/** What somebody who pressed Pay was told, with the answer itself. */
export type Heard = Told & {
  status: number;
  body: WireAnswer['body'] | null;
  retryAfter?: string | undefined;
};

/** Reads an answer as its payer does; `null` for one that never came. */
export function readAnswer(
  key: string,
  answer: { status: number; body: unknown; retryAfter?: string | undefined } | null,
): Heard {
  if (!answer) return { key, status: 0, body: null, heard: 'nothing certain' };
  const { status, retryAfter } = answer;
  const body = answer.body as WireAnswer['body'];
  return { key, status, body, retryAfter, heard: hear({ status, body }) };
}

export const codesOf = ({ body }: Heard): string[] =>
  body && 'errors' in body ? body.errors.map(({ code }) => code) : [];
