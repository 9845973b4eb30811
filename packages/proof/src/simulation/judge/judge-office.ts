import type { Difference } from '../../../../../apps/api/src/modules/payments/books/compare-rows.ts';
import { judgeRefunds } from '../../../../../apps/api/test/books/judge-refunds.ts';
import type { LedgerRow } from '../../../../../apps/api/test/emulator.ts';
import type { Asked } from '../office/play-office.ts';
import type { RefundHand } from '../office/refunds-by-hand.ts';
import { refundsOf, type SimulatedRefund } from '../office/refunds-of.ts';
import type { SimulationRig } from '../rig.ts';
import type { World } from '../world/world.ts';
import { judgeCredits } from './judge-credits.ts';
import { isRefunded, isSale, isVoided } from './provider-ledger.ts';

export type JudgedOffice = {
  world: World;
  hand: RefundHand;
  asked: Asked[];
  compared: Difference[];
  /** Refunds that careful people had to give up although nothing held them. */
  givenUp: SimulatedRefund[];
};

const ENDS = ['made', 'refused', 'not_made', 'withdrawn'];
/** What the comparison may report if somebody acted by hand or the provider lied. */
export const REFUND_FINDINGS: Difference['kind'][] = [
  'unclaimed-refund',
  'late-refund',
  'refunded-twice',
  'refund-undone-there',
  'void-undone-there',
];

/** Checks everything about refunds once all is swept and decided. Returns violations in words. */
export async function judgeOffice(rig: SimulationRig, judged: JudgedOffice): Promise<string[]> {
  const refunds = await refundsOf(rig, judged.world);
  const ledger = await rig.emulator.ledger();
  const ofCharges = new Set(refunds.map(({ chargeId }) => chargeId));
  const { wrong } = await judgeRefunds(rig.deps, ledger, {
    isJudged: (chargeId) => ofCharges.has(chargeId),
    mayBeHidden: judged.world.perMille.badCalls > 0,
    byHand: judged.hand.refunds,
  });
  return [
    ...wrong,
    ...refunds.flatMap((refund) => judgeEnd(refund, judged)),
    ...judgeMoney(ledger, judged),
    ...(await judgeLedgers(rig, { refunds, ledger })),
    ...(await judgeCredits(rig, refunds)),
    ...(await judgeAsked(rig, judged)),
    ...judged.givenUp.flatMap((refund) => judgeGivenUp(refund, judged)),
  ];
}

const isTroubled = ({ world, hand }: JudgedOffice) =>
  world.perMille.badCalls > 0 || hand.refunds.size > 0 || hand.touched.size > 0;

function judgeEnd(refund: SimulatedRefund, judged: JudgedOffice): string[] {
  const { refundId, state, heldFor, isUndone, made, undone, ended } = refund;
  const what = `refund ${refundId} (${state}${heldFor === null ? '' : `, ${heldFor}`})`;
  const isLeft = state === 'held' && (refund.isDisputed || isTroubled(judged));
  const tellsRequester = state === 'refused' || state === 'not_made';
  return [
    ...(ENDS.includes(state) || isLeft ? [] : [`${what} has not ended`]),
    ...(made === (state === 'made' ? 1 : 0) ? [] : [`${what}: the payer has ${made} mails that it was made`]),
    ...(undone === (isUndone ? 1 : 0) ? [] : [`${what}: the payer has ${undone} mails that it was undone`]),
    ...(tellsRequester && ended === 0 ? [`${what}: its requester has no mail`] : []),
  ];
}

/** A careful person gave it up in the end, so something must have prevented it from being sent. */
function judgeGivenUp(refund: SimulatedRefund, judged: JudgedOffice): string[] {
  if (refund.isDisputed || isTroubled(judged)) return [];
  return [`refund ${refund.refundId} of ${refund.orderId} waits, and nothing keeps it`];
}

/** No order refunds more than it took, and the comparison reports exactly what nobody's hand explains. */
function judgeMoney(ledger: LedgerRow[], judged: JudgedOffice): string[] {
  const { hand, compared } = judged;
  const wrong: string[] = [];
  for (const [orderId, rows] of Map.groupBy(ledger, ({ orderid }) => orderid)) {
    const back = rows.filter(isRefunded).reduce((sum, { amount }) => sum + centsOf(amount), 0);
    const [sale] = rows.filter(isSale);
    if (back === 0) continue;
    if (!sale || back > centsOf(sale.amount)) wrong.push(`${orderId} gave back more than it took`);
    if (sale && isVoided(sale) && !hand.touched.has(orderId))
      wrong.push(`${orderId} was voided, and refunded too`);
  }
  for (const { kind, orderId } of compared) {
    if (REFUND_FINDINGS.includes(kind) && !isTroubled(judged))
      wrong.push(`${orderId} is ${kind}, and nobody did it`);
  }
  return wrong;
}

const centsOf = (dollars: string) => Math.round(Number(dollars) * 100);

/** The books' card payments equal what the provider took, less the refunds that we own. */
async function judgeLedgers(
  { admin }: SimulationRig,
  { refunds, ledger }: { refunds: SimulatedRefund[]; ledger: LedgerRow[] },
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [chargeId, own] of Map.groupBy(refunds, (refund) => refund.chargeId)) {
    const [{ orderId, chargeState } = { orderId: '', chargeState: '' }] = own;
    if (chargeState !== 'captured') continue;
    const { rows } = await admin.query<{ cents: number }>(
      `SELECT coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END), 0)::integer AS cents
         FROM ledger_entry WHERE charge_id = $1 AND account = 'card'`,
      [chargeId],
    );
    const counted = own.filter(({ state, isUndone }) => state === 'made' && !isUndone);
    const keys = new Set(counted.map(({ key }) => key));
    const [sale] = ledger.filter((row) => row.orderid === orderId && isSale(row));
    const back = ledger
      .filter((row) => keys.has(row.key) && (isRefunded(row) || isVoided(row)))
      .reduce((sum, { amount }) => sum + centsOf(amount), 0);
    const there = centsOf(sale?.amount ?? '0') - back;
    if (rows[0]?.cents !== there)
      wrong.push(`${orderId} is ${rows[0]?.cents} in our books, ${there} at the provider`);
  }
  return wrong;
}

/** A key stands for one request. It exists if somebody was told so, and doesn't if they were refused. */
async function judgeAsked({ admin }: SimulationRig, { asked }: JudgedOffice): Promise<string[]> {
  const wrong: string[] = [];
  for (const [idemKey, presses] of Map.groupBy(asked, (each) => each.idemKey)) {
    const { rows } = await admin.query<{ id: string }>('SELECT id FROM refund_request WHERE idem_key = $1', [
      idemKey,
    ]);
    const heard = presses.flatMap((press) => press.heard ?? []);
    const placed = new Set(heard.flatMap((each) => (each.ok ? [each.requestId] : [])));
    if (rows.length > 1) wrong.push(`key ${idemKey} asked ${rows.length} times`);
    if (placed.size > 1 || (placed.size === 1 && !placed.has(rows[0]?.id ?? '')))
      wrong.push(`${idemKey} heard of a request that is not there`);
    const isRefusedAlone = heard.length === presses.length && heard.every(({ ok }) => !ok);
    if (isRefusedAlone && rows.length > 0) wrong.push(`${idemKey} heard no, and it was asked for`);
  }
  return wrong;
}
