import type { Deps } from '../../../deps.ts';
import type { AuthorizeOutcome, AuthorizeRequest, MerchantKeys } from '../../../gateway/payment-gateway.ts';
import type { Begun } from '../engine/decide-until-known.ts';

const MIN_MILLISECONDS = 5_000;

/** Asks the provider for one hold, once, within the payment's remaining time. */
export async function authorizeCharge(
  deps: Deps,
  {
    begun,
    keys,
    request,
  }: {
    begun: Begun;
    keys: MerchantKeys;
    request: Omit<AuthorizeRequest, 'millisecondsLeft' | 'onProgress'>;
  },
): Promise<AuthorizeOutcome> {
  if (!mayBeginCall(begun)) return { kind: 'not-sent' };
  const outcome = await deps.gateways.of(keys).authorize({
    ...request,
    millisecondsLeft: begun.millisecondsLeft,
  });
  const facts = { intentId: begun.intentId, orderId: request.orderId, outcome: outcome.kind };
  if (outcome.kind === 'not-executed' && outcome.status !== 429) {
    deps.log.error({ ...facts, alert: 'merchant-keys-refused' }, 'the provider refuses our keys');
  } else if (outcome.kind === 'unknown' && outcome.isNotAllowed) {
    deps.log.error({ ...facts, alert: 'payments are not allowed' }, 'the provider refuses our command');
  } else deps.log.info(facts, 'authorised');
  return outcome;
}

/** With less time than this left, don't begin a call: it couldn't finish. */
export const mayBeginCall = ({ millisecondsLeft }: Begun) => millisecondsLeft() >= MIN_MILLISECONDS;
