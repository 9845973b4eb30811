import { maskPersonal } from '@brightpane/contract/mask-personal';
import { createTransport, type NodeOptions } from '@sentry/node';
import type { ReportBreaker } from './report-breaker.ts';

type MakeTransport = NonNullable<NodeOptions['transport']>;

/** The time limit of a report, so that a hanging receiver can't hold memory or delay the process's end. */
export const SEND_MILLISECONDS = 2_000;

/** Sends all reports through this one place, which masks everything personal. */
export function maskedTransport(breaker: ReportBreaker): MakeTransport {
  return (options) => {
    const transport = createTransport(options, async ({ body }) => {
      const answer = await fetch(options.url, {
        method: 'POST',
        body: typeof body === 'string' ? body : Buffer.from(body),
        headers: options.headers ?? {},
        signal: AbortSignal.timeout(SEND_MILLISECONDS),
      }).catch((error: unknown) => {
        breaker.note(false);
        throw error;
      });
      breaker.note(answer.status < 500);
      await answer.body?.cancel();
      return {
        statusCode: answer.status,
        headers: {
          'retry-after': answer.headers.get('retry-after'),
          'x-sentry-rate-limits': answer.headers.get('x-sentry-rate-limits'),
        },
      };
    });
    return {
      ...transport,
      send: async (envelope) => (breaker.admit() ? transport.send(maskPersonal(envelope)) : {}),
    };
  };
}
