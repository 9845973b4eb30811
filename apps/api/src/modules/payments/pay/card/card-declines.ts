import type { Deps } from '../../../../deps.ts';
import { countAgainst } from '../../../limits/check-limits.ts';
import { clientNetwork } from '../../../limits/client-address.ts';
import { cap, type Guard } from '../../../limits/limit.ts';
import type { PaymentAnswer } from '../replay/payment-answer.ts';

const HOUR_SECONDS = 3_600;
const OF_AN_ADDRESS = cap('card declines of an address', { max: 10, windowSeconds: HOUR_SECONDS });
const OF_A_NETWORK = cap('card declines of a network', { max: 30, windowSeconds: HOUR_SECONDS });
/** Refuses nobody: whoever could reach it could shut everybody out. */
const OF_AN_ACCOUNT = cap('card declines of a merchant account', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: HOUR_SECONDS,
});
const ATTACKED_AT = 60;
const WEIGHT_WHEN_ATTACKED = 5;

/** Where declined cards come from, whichever call they come through: somebody with many accounts has few networks. */
export function networkGuards(address: string): readonly [Guard, Guard] {
  return [
    { limit: OF_AN_ADDRESS, of: [address] },
    { limit: OF_A_NETWORK, of: [clientNetwork(address)] },
  ];
}

/** The bank looked at a card and told something of it. */
export function tellsOfCard({ replayed, outcome }: PaymentAnswer): boolean {
  return !replayed && ['declined', 'not-in-full', 'verification'].includes(outcome.code);
}

/**
 * Counts a declined card. While a merchant account has many of them, each weighs more for whoever it came from: that
 * slows down those who try cards, and nobody whose card is good.
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
