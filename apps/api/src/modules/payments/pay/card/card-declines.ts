import type { Deps } from '../../../../deps.ts';
import { countAgainst } from '../../../limits/check-limits.ts';
import { clientNetwork } from '../../../limits/client-address.ts';
import { cap, type Guard } from '../../../limits/limit.ts';
import type { PaymentAnswer } from '../replay/payment-answer.ts';

const HOUR_SECONDS = 3_600;
const OF_AN_ADDRESS = cap('card declines of an address', { max: 10, windowSeconds: HOUR_SECONDS });
const OF_A_NETWORK = cap('card declines of a network', { max: 30, windowSeconds: HOUR_SECONDS });
/** Only counts and never refuses: a limit on the account would let one attacker lock out every payer. */
const OF_AN_ACCOUNT = cap('card declines of a merchant account', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: HOUR_SECONDS,
});
const ATTACKED_AT = 60;
const WEIGHT_WHEN_ATTACKED = 5;

/** Counts declines by where they come from, across all calls: an attacker may have many accounts but few networks. */
export function networkGuards(address: string): readonly [Guard, Guard] {
  return [
    { limit: OF_AN_ADDRESS, of: [address] },
    { limit: OF_A_NETWORK, of: [clientNetwork(address)] },
  ];
}

/** Whether the answer carries the bank's verdict on the card. */
export function tellsOfCard({ replayed, outcome }: PaymentAnswer): boolean {
  return !replayed && ['declined', 'not-in-full', 'verification'].includes(outcome.code);
}

/**
 * Counts a declined card. While a merchant account sees many declines, each one counts for more against the address it
 * came from. That slows down card testing and affects nobody whose card is good.
 */
export async function countDecline(
  deps: Deps,
  { guards, accountId }: { guards: readonly Guard[]; accountId: number | undefined },
): Promise<void> {
  const [declines = 0] = await countAgainst(deps, [{ limit: OF_AN_ACCOUNT, of: [accountId ?? 0] }]);
  if (declines === ATTACKED_AT) {
    deps.log.error({ accountId, declines, alert: 'card-testing' }, 'many cards are declined on one account');
  }
  const weight = declines >= ATTACKED_AT ? WEIGHT_WHEN_ATTACKED : 1;
  await countAgainst(
    deps,
    guards.map((guard) => ({ ...guard, weight })),
  );
}
