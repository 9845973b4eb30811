import { sql } from 'drizzle-orm';
import type { Deps } from '../../../../apps/api/src/deps.ts';
import { listReview } from '../../../../apps/api/src/modules/payments/review/list-review.ts';
import { chargesOf, compareLedgers } from '../../../../apps/api/test/books/compare-ledgers.ts';
import type { TestEmulator } from '../../../../apps/api/test/emulator.ts';
import { OFFICE_KEY_ID } from '../../../../apps/api/test/office/office.ts';
import { isSale } from '../simulation/judge/provider-ledger.ts';
import type { Heard } from '../simulation/people/pay.ts';

/** What somebody who pressed Pay under a key was told. */
export type Told = {
  key: string;
  /** The key's scope as the portal stores it; needed if two payers use the same key. */
  scope?: string;
  heard: Heard;
};

type Judged = {
  deps: Pick<Deps, 'db'>;
  emulator: TestEmulator;
  told: readonly Told[];
  /** Ids of earlier charges that the provider has forgotten since. */
  except?: ReadonlySet<string>;
  /** Whether charges may be left for a person; each must then be in the review list. */
  mayNeedReview?: boolean;
};

const ENDS = new Set(['captured', 'capture_failed', 'refused', 'released', 'absent']);

/**
 * Every violation after the sweep, in words: of the books' own rules, between our ledger and the provider's, and between
 * what people were told and what happened.
 */
export async function judge(judged: Judged): Promise<string[]> {
  const { deps, emulator, except = new Set(), mayNeedReview = false } = judged;
  const inReview = new Set((await listReview(deps, { actorId: OFFICE_KEY_ID })).map((each) => each.chargeId));
  const left = mayNeedReview ? inReview : new Set<string>();
  return [
    ...(await compareLedgers(deps, emulator, { except: new Set([...except, ...left]) })),
    ...(await judgeCharges(judged, inReview)),
    ...(await judgeWords(judged)),
  ];
}

async function judgeCharges(
  { deps, emulator, except = new Set(), mayNeedReview = false }: Judged,
  inReview: ReadonlySet<string>,
): Promise<string[]> {
  const wrong: string[] = [];
  const rows = await emulator.ledger();
  for (const { id, orderId, state } of await chargesOf(deps)) {
    if (except.has(id)) continue;
    const asked = rows.filter((row) => row.orderid === orderId && isSale(row)).length;
    if (asked > 1) wrong.push(`charge ${orderId} (${state}) was asked for ${asked} times`);
    if (ENDS.has(state) || (mayNeedReview && inReview.has(id))) continue;
    wrong.push(`charge ${orderId} (${state}) has not ended`);
  }
  const owned = await listOwnRefunds(deps);
  for (const row of rows) if (!isSale(row) && !owned.has(row.key)) wrong.push(`${row.orderid} was refunded`);
  return wrong;
}

/** The provider's keys of the refunds that we made. */
async function listOwnRefunds({ db }: Judged['deps']): Promise<Set<string>> {
  const { rows } = await db.query.execute<{ key: string }>(sql`
    SELECT transaction_key AS key FROM refund WHERE method = 'refund' AND state = 'made'`);
  return new Set(rows.map(({ key }) => key));
}

type IntentRow = { scope: string; key: string; state: string; isCollected: boolean };

/** Nobody may be told "not charged" when money moved, or "paid" when nothing was accepted. */
async function judgeWords({ deps, told }: Judged): Promise<string[]> {
  const keys = sql.param([...new Set(told.map(({ key }) => key))]);
  const { rows: intents } = await deps.db.query.execute<IntentRow>(sql`
    SELECT idem_scope AS scope, idem_key AS key, state,
           EXISTS (SELECT FROM charge c WHERE c.intent_id = payment_intent.id AND c.state = 'captured') AS "isCollected"
      FROM payment_intent WHERE idem_key = ANY(${keys}::text[])`);
  return told.flatMap(({ key, scope, heard }) => {
    const own = intents.filter((intent) => intent.key === key && (!scope || intent.scope === scope));
    const isAccepted = own.some((intent) => intent.state === 'accepted');
    const isCollected = own.some((intent) => intent.isCollected);
    const heardNotCharged = heard === 'not charged' || heard === 'changed meanwhile';
    return [
      ...(heard === 'paid' && !isAccepted ? [`${key} heard "paid", and it was not accepted`] : []),
      ...(heardNotCharged && (isAccepted || isCollected)
        ? [`${key} heard "not charged", and money moved`]
        : []),
    ];
  });
}
