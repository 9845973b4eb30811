import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../../../../../apps/api/src/modules/payments/books/compare-rows.ts';
import { listViolations } from '../../../../../apps/api/test/books/list-violations.ts';
import { refundsOf } from '../office/refunds-of.ts';
import type { OfficePlayed } from '../office/simulate-office.ts';
import type { Hand } from '../people/by-hand.ts';
import { tryToPayTheRest } from '../people/pay-the-rest.ts';
import type { Told } from '../people/told.ts';
import type { SimulationRig } from '../rig.ts';
import { happens, isCalm, type World } from '../world/world.ts';
import { judgeOffice, REFUND_FINDINGS } from './judge-office.ts';
import { isCaptured, isOpenHold, isSale } from './provider-ledger.ts';

type Judged = {
  world: World;
  told: Told[];
  /** What somebody did at the provider, so that the portal isn't blamed for it. */
  hand: Hand;
  /** The simulation's duration: on a busy machine a payment may time out with nothing wrong. */
  seconds: number;
  /** What the comparison of both books reported after the sweep. */
  compared: Difference[];
  office: OfficePlayed;
};

type ChargeRow = {
  order_id: string;
  state: string;
  intent_state: string;
  idem_key: string;
  amount: string;
  tip_cents: number;
  lines: number;
  /** The version at which each invoice was priced. */
  priced: Record<string, number>;
  receipts: number;
  public_key: string;
};

/** A payment's time until it is abandoned, less what its last call to the provider needs. */
const PAYMENT_SECONDS = 20;
/** How much the `raise` event adds at most. */
const MOST_RAISED_CENTS = 1_00;
const ENDS = ['captured', 'capture_failed', 'refused', 'released', 'absent'];
const COUNTS = ['accepted', 'captured'];

/** Judges a swept simulation: our books, the provider's, and what people were told. Returns violations in words. */
export async function judge(rig: SimulationRig, judged: Judged): Promise<string[]> {
  const { deps } = rig;
  const charges = await readCharges(rig, judged.world);
  const wrong = (await listViolations(deps.db.query)).map(({ rule, subject }) => `${rule}: ${subject}`);
  wrong.push(...(await judgeCharges(rig, charges, judged)));
  wrong.push(...judgeWords(charges, judged));
  wrong.push(...judgeComparison(charges, judged));
  wrong.push(...(await judgeInvoices(rig, judged.world)));
  const { world, compared, office } = judged;
  wrong.push(...(await judgeOffice(rig, { world, compared, ...office })));
  if (wrong.length === 0) wrong.push(...(await tryToPayTheRest(rig, judged.world)));
  return wrong;
}

async function judgeCharges(
  rig: SimulationRig,
  charges: ChargeRow[],
  { world, hand, compared, office }: Judged,
): Promise<string[]> {
  const { emulator } = rig;
  const wrong: string[] = [];
  // The office's own judge checks refunds.
  const ledger = (await emulator.ledger()).filter(isSale);
  const refunds = (await refundsOf(rig, world)).filter(({ state }) => state === 'made');
  const voided = new Set(refunds.filter(({ method }) => method === 'void').map(({ orderId }) => orderId));
  const merchants = new Map((await emulator.merchants()).map(({ name, publicKey }) => [publicKey, name]));
  for (const charge of charges) {
    const own = ledger.filter((row) => row.orderid === charge.order_id);
    const captured = own.filter(isCaptured);
    const what = `charge ${charge.order_id} (${charge.state})`;
    const mayBeVoided = voided.has(charge.order_id) || office.hand.touched.has(charge.order_id);
    if (!ENDS.includes(charge.state)) wrong.push(`${what} has not ended`);
    if (charge.state === 'capture_failed' && !happens(world, 'void', 'review') && !mayBeVoided)
      wrong.push(`${what} could have been captured`);
    if (own.length > 1) wrong.push(`${what} was asked for ${own.length} times`);
    if (own.some(isOpenHold)) wrong.push(`${what} still has a hold`);
    if (charge.state === 'captured' && captured.length === 0 && !mayBeVoided)
      wrong.push(`${what} was not captured`);
    for (const row of captured) {
      if (charge.state !== 'captured' && hand.captured.has(row.key)) {
        // A person's act at the provider, perhaps on a hold of another amount, which the books can't change.
        if (!compared.some(({ orderId }) => orderId === charge.order_id))
          wrong.push(`${what} was captured by hand, and nobody is told`);
        continue;
      }
      if (charge.state !== 'captured') wrong.push(`${what} was captured`);
      if (row.amount !== charge.amount) wrong.push(`${what} is ${charge.amount}, captured ${row.amount}`);
      if (row.merchant !== merchants.get(charge.public_key))
        wrong.push(`${what} was captured on ${row.merchant}`);
    }
  }
  const known = new Set(charges.map((charge) => charge.order_id));
  for (const row of ledger) {
    const isStray = hand.strays.has(row.key);
    if (!known.has(row.orderid) && !isStray) wrong.push(`the provider has ${row.orderid}, we do not`);
    if (isStray && !isOpenHold(row)) wrong.push('a hold that is none of ours was touched');
  }
  return wrong;
}

/** The comparison must report what was done by hand, and nothing else. */
function judgeComparison(charges: ChargeRow[], { world, hand, compared, office }: Judged): string[] {
  const stateOf = new Map(charges.map((charge) => [charge.order_id, charge.state]));
  const own = compared.filter(({ orderId }) => stateOf.has(orderId));
  const named = (...kinds: Difference['kind'][]) =>
    compared.filter(({ kind }) => kinds.includes(kind)).length;
  const isExplained = ({ kind, orderId }: Difference) => {
    // The office's own judge says whether anything explains it.
    if (REFUND_FINDINGS.includes(kind)) return true;
    if (kind === 'voided-by-hand' && office.hand.touched.has(orderId)) return true;
    if (kind === 'captured-but-not-accepted') return hand.captured.size > 0;
    if (kind === 'voided-by-hand' || kind === 'not-captured-at-the-provider') return happens(world, 'void');
    // A list that lags long enough proves a false absence, which is exactly what the comparison is for.
    return kind === 'late-hold-released' && stateOf.get(orderId) === 'absent' && world.perMille.badCalls > 0;
  };
  return [
    ...own.filter((each) => !isExplained(each)).map(({ kind, orderId }) => `${orderId} is ${kind}`),
    ...(named('not-in-our-books') < hand.strays.size ? ['a hold that is none of ours is not reported'] : []),
  ];
}

/** Nobody may be told "not charged" when money moved, "paid" when nothing was accepted, or another request's outcome. */
function judgeWords(charges: ChargeRow[], { world, told, compared, seconds }: Judged): string[] {
  const wrong: string[] = [];
  const unaccepted = compared
    .filter(({ kind }) => kind === 'captured-but-not-accepted')
    .map(({ orderId }) => orderId);
  for (const { payer, idempotencyKey, tipCents, heard, seen = {}, isLastTry } of told) {
    const own = charges.filter((charge) => charge.idem_key === idempotencyKey);
    const accepted = own.filter((charge) => charge.intent_state === 'accepted');
    const isAccepted = accepted.length > 0;
    const askedOtherwise = told.some(
      (other) => other.idempotencyKey === idempotencyKey && other.tipCents !== tipCents,
    );
    const sawOther = told.some(
      (other) => other.idempotencyKey === idempotencyKey && !isDeepStrictEqual(other.seen ?? {}, seen),
    );
    if (heard === 'paid earlier' && !(isAccepted && sawOther))
      wrong.push(`${payer} heard "paid earlier", and it was not, or not at another price`);
    if (heard === 'not collected' && !own.some((charge) => charge.state === 'capture_failed'))
      wrong.push(`${payer} heard that nothing was collected, and it was`);
    if (heard === 'refused' && isLastTry && isAccepted)
      wrong.push(`${payer} was refused, and it was accepted`);
    if (heard === 'being checked' && !own.some(({ order_id }) => unaccepted.includes(order_id)))
      wrong.push(`${payer} heard that their payment is being checked, and nobody had captured it by hand`);
    if (heard === 'paid' && !isAccepted) wrong.push(`${payer} heard "paid", and it was not accepted`);
    if ((heard === 'not charged' || heard === 'changed meanwhile') && isAccepted) {
      wrong.push(`${payer} heard "not charged", and it was accepted`);
    }
    if (heard === 'changed meanwhile' && !sawOther && !happens(world, 'raise', 'void', 'review')) {
      wrong.push(`${payer} was asked for a hold at a price that was out of date`);
    }
    if (heard === 'other request' && !askedOtherwise) wrong.push(`${payer} was refused their own key`);
    const tips = accepted.reduce((sum, charge) => sum + charge.tip_cents, 0);
    const lines = accepted.reduce((sum, charge) => sum + charge.lines, 0);
    if (heard === 'paid' && tips !== lines * tipCents)
      wrong.push(`${payer} was answered for another request`);
    const priced = accepted.flatMap((charge) => Object.entries(charge.priced));
    if (heard === 'paid' && priced.some(([id, version]) => (seen[Number(id)] ?? version) !== version))
      wrong.push(`${payer} heard "paid" of a price that was not on the page`);
    if (heard === 'paid' && accepted.every((charge) => COUNTS.includes(charge.state))) {
      const receipts = Math.max(0, ...accepted.map((charge) => charge.receipts));
      if (receipts !== 1) wrong.push(`${payer} gets ${receipts} receipts`);
    }
  }
  if (isCalm(world) && seconds < PAYMENT_SECONDS && !told.some(({ heard }) => heard === 'paid'))
    wrong.push('nothing went wrong, and nobody paid');
  return wrong;
}

async function judgeInvoices({ admin }: SimulationRig, world: World): Promise<string[]> {
  const { rows } = await admin.query<{ id: number; overpaid: boolean; claims: number }>(
    // An amount that an office has lowered since isn't a double payment.
    `SELECT i.id, i.paid_cents > greatest(i.amount_cents, ($2::bigint[])[array_position($1::bigint[], i.id)]) AS overpaid,
            (SELECT count(*)::integer FROM invoice_claim c WHERE c.invoice_id = i.id AND c.state = 'live') AS claims
       FROM invoice i WHERE i.id = ANY($1)`,
    [
      world.invoices.map((invoice) => invoice.invoiceId),
      world.invoices.map(({ amountCents }) => amountCents + MOST_RAISED_CENTS),
    ],
  );
  return rows.flatMap(({ id, overpaid, claims }) => [
    ...(overpaid ? [`invoice ${id} was paid twice`] : []),
    ...(claims > 0 ? [`invoice ${id} is still claimed`] : []),
  ]);
}

async function readCharges({ admin }: SimulationRig, world: World): Promise<ChargeRow[]> {
  const { rows } = await admin.query<ChargeRow>(
    `SELECT c.order_id, c.state, p.state AS intent_state, p.idem_key,
            to_char(c.amount_cents / 100.0, 'FM999999990.00') AS amount,
            (SELECT sum(a.tip_cents)::integer FROM charge_allocation a WHERE a.charge_id = c.id) AS tip_cents,
            (SELECT count(*)::integer FROM charge_allocation a WHERE a.charge_id = c.id) AS lines,
            (SELECT json_object_agg(a.invoice_id, a.priced_version) FROM charge_allocation a
              WHERE a.charge_id = c.id) AS priced,
            (SELECT count(*)::integer FROM outgoing_mail m
              WHERE m.intent_id = p.id AND m.kind = 'payment-receipt' AND m.cancelled_at IS NULL) AS receipts,
            m.public_key
       FROM charge c JOIN payment_intent p ON p.id = c.intent_id
       JOIN merchant_account m ON m.id = c.merchant_account_id
      WHERE c.id IN (SELECT charge_id FROM charge_allocation WHERE invoice_id = ANY($1))`,
    [world.invoices.map((invoice) => invoice.invoiceId)],
  );
  return rows;
}
