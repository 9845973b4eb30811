import type { Trace } from '../reporting/reporter.ts';
import type { Gateways, MerchantKeys, PaymentGateway } from './payment-gateway.ts';
import { parseAnswer } from './provider-answers.ts';
import type { OneAnswer } from './send-once.ts';
import { createUsaepayGateway } from './usaepay-gateway.ts';

const FAILURES_THAT_OPEN = 5;

/** What this instance remembers of an account: how often in a row it failed, and whether a probe is under way. */
type Breaker = { failures: number; probing: boolean };

/** The provider, with a breaker for each merchant account: while it fails, one payment at a time finds out. */
export function openGateways({
  baseUrl,
  callMilliseconds,
  onCall = () => {},
  trace,
}: {
  baseUrl: string;
  /** What one call may take; by default what money safety asks for. */
  callMilliseconds?: number;
  /** Told what came of each call: a status, or why there was none. */
  onCall?: (result: string) => void;
  /** Times every call. */
  trace?: Trace;
}): Gateways {
  const breakers = new Map<number, Breaker>();
  const opened = new Map<string, PaymentGateway>();

  const breakerOf = (accountId: number): Breaker => {
    const known = breakers.get(accountId);
    if (known) return known;
    const fresh = { failures: 0, probing: false };
    breakers.set(accountId, fresh);
    return fresh;
  };

  return {
    of(account: MerchantKeys) {
      const name = `${account.id} ${account.apiKey} ${account.pin}`;
      const known = opened.get(name);
      if (known) return known;
      const gateway = createUsaepayGateway({
        baseUrl,
        keys: account,
        callMilliseconds,
        trace,
        onAnswer: (answer) => {
          note(breakerOf(account.id), answer);
          onCall(resultOf(answer));
        },
      });
      opened.set(name, gateway);
      return gateway;
    },
    admit(accountId) {
      const breaker = breakerOf(accountId);
      if (breaker.failures < FAILURES_THAT_OPEN) return { leave: () => {} };
      if (breaker.probing) return null;
      breaker.probing = true;
      return {
        leave: () => {
          breaker.probing = false;
        },
      };
    },
  };
}

function resultOf(answer: OneAnswer): string {
  if (answer.kind === 'answer') return String(answer.status);
  return answer.kind === 'lost' ? answer.reason : answer.kind;
}

/** A refused connection costs a payer no time, so it does not count; any answer that can be read closes the breaker. */
function note(breaker: Breaker, answer: OneAnswer): void {
  if (answer.kind === 'not-sent') return;
  const parsed = parseAnswer(answer);
  breaker.failures = parsed && parsed.status < 500 ? 0 : breaker.failures + 1;
}
