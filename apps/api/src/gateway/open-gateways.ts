import type { Trace } from '../reporting/reporter.ts';
import { Breakers } from './breakers.ts';
import { KEYLESS_GATEWAY } from './keyless-gateway.ts';
import { parseAnswer } from './parse-answer.ts';
import type { Gateways, MerchantKeys, PaymentGateway } from './payment-gateway.ts';
import { RefusedKeys } from './refused-keys.ts';
import type { OneAnswer } from './send-once.ts';
import { createUsaepayGateway } from './usaepay/usaepay-gateway.ts';
import { withholdCalls } from './withhold-calls.ts';

/**
 * Opens the provider, with a breaker per merchant account: while it fails, one payment at a time probes it. Keys that it
 * refuses rest.
 */
export function openGateways({
  baseUrl,
  callMilliseconds,
  onCall = () => {},
  trace,
  now = () => performance.now(),
}: {
  baseUrl: string;
  /** The time limit of one call; by default the one that money safety requires. */
  callMilliseconds?: number;
  /** Called with each call's result: its status, or why there was none. */
  onCall?: (result: string) => void;
  /** Times every call. */
  trace?: Trace;
  /** In milliseconds. */
  now?: () => number;
}): Gateways {
  const breakers = new Breakers();
  const opened = new Map<string, PaymentGateway>();

  return {
    of(account: MerchantKeys) {
      if (account.isUnreadable) return KEYLESS_GATEWAY;
      const name = `${account.id} ${account.apiKey} ${account.pin}`;
      const known = opened.get(name);
      if (known) return known;
      const refusedKeys = new RefusedKeys(now);
      const asked = createUsaepayGateway({
        baseUrl,
        keys: account,
        callMilliseconds,
        trace,
        onAnswer: (answer) => {
          note(breakers, account.id, answer);
          refusedKeys.note(answer);
          onCall(resultOf(answer));
        },
      });
      const gateway = withholdCalls(asked, () => refusedKeys.mayCall());
      // Whatever is typed and tested would stay here.
      if (!account.isTested) opened.set(name, gateway);
      return gateway;
    },
    admit: (accountId) => breakers.admit(accountId),
  };
}

function resultOf(answer: OneAnswer): string {
  if (answer.kind === 'answer') return String(answer.status);
  return answer.kind === 'lost' ? answer.reason : answer.kind;
}

/** A connection refused at once costs a payer no time, so it isn't counted; any readable answer closes the breaker. */
function note(breakers: Breakers, accountId: number, answer: OneAnswer): void {
  if (answer.kind === 'not-sent' && !answer.hasWaited) return;
  const parsed = parseAnswer(answer);
  breakers.note(accountId, { isAnswered: parsed !== null && parsed.status < 500 });
}
