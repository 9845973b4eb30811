import { randomUUID } from 'node:crypto';
import { cents } from '@brightpane/money/cents';
import { databaseTrouble } from '../../../../db/database-trouble.ts';
import type { Deps } from '../../../../deps.ts';
import { countDown } from '../../../../gateway/count-down.ts';
import type { MerchantKeys } from '../../../../gateway/payment-gateway.ts';
import { findCurrentAccount } from '../../../merchant-accounts/merchant-accounts.queries.ts';
import { openSealedKeys } from '../../../merchant-accounts/open-merchant-keys.ts';
import { cardPlace } from '../../../payment-methods/card-place.ts';
import { hasAddedCard } from '../../../payment-methods/payment-methods.queries.ts';
import { insertCharges } from '../../engine/charges.queries.ts';
import { type Begun, decideUntilKnown } from '../../engine/decide-until-known.ts';
import { CARD_CHECK } from '../../engine/describe-work-orders.ts';
import type { StoredOutcome } from '../../engine/outcomes.ts';
import { type Idempotency, insertIntent, isOfClosedAccount } from '../../engine/payments.queries.ts';
import type { SeenIntent } from '../../epoch/books-memory.ts';
import { newOrderId } from '../../epoch/order-ids.ts';
import { lookForPayer } from '../../restore/look-at-accounts.ts';
import { abandonmentOf, abandonPayment, holdsNothing } from '../abandon-payment.ts';
import { authorizeCharge, mayBeginCall } from '../authorize-charge.ts';
import { hashRequest, keyOfPaymentKey } from '../replay/hash-request.ts';
import { type PaymentAnswer, refusalAnswer } from '../replay/payment-answer.ts';
import { type PaymentLimit, replayOrWait } from '../replay/replay-payment.ts';

export type NewCard = {
  userId: string;
  idempotencyKey: string | null;
  paymentKey: string;
  street: string;
  postalCode: string;
};

/** Held briefly to check that the card is good, then released. */
const PROBE_CENTS = cents(100);
const SECONDS = 25;
const ADDED = { code: 'card-added' } as const;

/**
 * Saves a card that the provider has approved. The hold is never captured: the commit that stores the card abandons it,
 * and the sweep releases it. The limit applies only to a new key, so a replay is never refused.
 */
export function saveCard(deps: Deps, card: NewCard, limit: PaymentLimit): Promise<PaymentAnswer> {
  return deps.underWay.track(save(deps, card, limit));
}

async function save(deps: Deps, card: NewCard, limit: PaymentLimit): Promise<PaymentAnswer> {
  const { userId, paymentKey, street, postalCode } = card;
  const idempotency: Idempotency = {
    scope: userId,
    key: card.idempotencyKey ?? keyOfPaymentKey(paymentKey),
    requestHash: hashRequest({ kind: 'card', street, postalCode }),
  };
  try {
    const earlier = await replayCard(deps, idempotency);
    return earlier ?? (await limit(() => saveOrReplay(deps, { card, idempotency })));
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === null) throw error;
    return refusalAnswer({ code: trouble === 'locked' ? 'busy' : 'card-unconfirmed' });
  }
}

async function replayCard(deps: Deps, idempotency: Idempotency): Promise<PaymentAnswer | null> {
  const earlier = await replayOrWait(deps, idempotency);
  if (earlier?.outcome.code === 'same-key-in-progress') return refusalAnswer({ code: 'card-in-progress' });
  const { outcome, intentId } = earlier ?? {};
  const isGone =
    outcome?.code === 'card-added' &&
    intentId !== undefined &&
    !(await hasAddedCard(deps.db.query, intentId));
  return isGone ? refusalAnswer({ code: 'card-deleted' }) : earlier;
}

async function saveOrReplay(
  deps: Deps,
  { card, idempotency }: { card: NewCard; idempotency: Idempotency },
): Promise<PaymentAnswer> {
  let hasLooked = false;
  for (;;) {
    const begun = await begin(deps, { userId: card.userId, idempotency });
    if (begun === 'payments-closed' && !hasLooked) {
      hasLooked = true;
      if (await lookForPayer(deps, { franchiseIds: [] })) continue;
    }
    if (begun === 'key-taken') {
      const earlier = await replayCard(deps, idempotency);
      if (earlier) return earlier;
    } else if (typeof begun === 'string') {
      return refusalAnswer({ code: begun });
    } else {
      const outcome = await probe(deps, { card, begun }).finally(begun.leave);
      return { outcome: outcome ?? { code: 'card-unconfirmed' }, replayed: false };
    }
  }
}

/** Rolls the transaction back: no card is checked while payments are closed. */
class Closed extends Error {}

type BegunCard = Begun &
  SeenIntent & { chargeId: string; orderId: string; keys: MerchantKeys; leave: () => void };

async function begin(
  deps: Deps,
  { userId, idempotency }: { userId: string; idempotency: Idempotency },
): Promise<BegunCard | 'provider-failing' | 'payments-closed' | 'payer-closed' | 'key-taken'> {
  const account = await findCurrentAccount(deps.db.query, null);
  if (!account) throw new Error('the portal has no merchant account');
  const admission = deps.gateways.admit(account.id);
  if (!admission) return 'provider-failing';
  try {
    const keys = await openSealedKeys(deps, account);
    const begun = await deps.db.transaction(async (tx) => {
      const millisecondsLeft = countDown(SECONDS * 1000);
      const publicUrl = deps.env.PUBLIC_URL;
      const intentId = randomUUID();
      const intent = await insertIntent(tx, {
        id: intentId,
        kind: 'card',
        userId,
        idempotency,
        seconds: SECONDS,
        payerEmail: null,
        publicUrl,
        franchiseIds: [],
        seen: deps.books.newest(),
      });
      if (!intent) return null;
      if (intent.isClosed) throw new Closed();
      const { createdAtMilliseconds } = intent;
      const orderId = newOrderId(intent.orderPrefix);
      const chargeId = randomUUID();
      const row = {
        id: chargeId,
        intentId,
        merchantAccountId: account.id,
        amountCents: PROBE_CENTS,
        orderId,
      };
      await insertCharges(tx, { charges: [row], allocations: [] });
      const seen = { intentId, createdAtMilliseconds };
      return { ...seen, millisecondsLeft, chargeId, orderId, keys, leave: admission.leave };
    });
    if (begun) deps.books.remember(begun);
    else admission.leave();
    return begun ?? 'key-taken';
  } catch (error) {
    admission.leave();
    if (error instanceof Closed) return 'payments-closed';
    if (isOfClosedAccount(error)) return 'payer-closed';
    throw error;
  }
}

async function probe(
  deps: Deps,
  { card, begun }: { card: NewCard; begun: BegunCard },
): Promise<StoredOutcome | null> {
  const { keys, orderId, chargeId } = begun;
  const outcome = await authorizeCharge(deps, {
    begun,
    keys,
    request: {
      orderId,
      amountCents: PROBE_CENTS,
      card: { paymentKey: card.paymentKey },
      billing: { street: card.street, postalCode: card.postalCode },
      description: CARD_CHECK,
      saveCard: true,
    },
  });
  if (outcome.kind !== 'approved') {
    const refused = holdsNothing(outcome) ? [chargeId] : [];
    const abandonment = abandonmentOf(outcome, { franchise: null, isHeld: false });
    return abandonPayment(deps, { begun, refused, abandonment });
  }
  const { transactionKey, reference, maskedCard, cardBrand } = outcome;
  const approved = { chargeId, transactionKey, reference, maskedCard, cardBrand };
  const saved = outcome.savedCard ?? (await makeToken(deps, { begun, keys, transactionKey }));
  if (!saved) return abandonPayment(deps, { begun, approved, abandonment: { code: 'unclear' } });

  // Choose the id here: the sealed token is bound to its row.
  const cardId = randomUUID();
  const stored = await decideUntilKnown(deps, begun, {
    event: 'store-card',
    approved,
    card: {
      id: cardId,
      userId: card.userId,
      sealedToken: deps.secretBox.seal(saved.token, cardPlace(cardId)),
      expiresMonth: saved.expiresMonth,
    },
    outcome: ADDED,
  });
  if (stored === 'applied') return ADDED;
  if (stored === null) return null;
  if (stored === 'key-taken') return abandonPayment(deps, { begun, abandonment: { code: 'unclear' } });
  if (stored.result === 'decided') return stored.outcome;
  return abandonPayment(deps, { begun, approved, abandonment: { code: 'expired' } });
}

/** Made only while the request lives: nobody would own a token made after it. */
async function makeToken(
  deps: Deps,
  { begun, keys, transactionKey }: { begun: Begun; keys: MerchantKeys; transactionKey: string },
): Promise<{ token: string; expiresMonth: null } | null> {
  if (!mayBeginCall(begun)) return null;
  const { millisecondsLeft } = begun;
  const token = await deps.gateways.of(keys).makeCardToken({ transactionKey, millisecondsLeft });
  return token === null ? null : { token, expiresMonth: null };
}
