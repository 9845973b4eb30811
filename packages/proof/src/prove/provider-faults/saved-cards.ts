import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Round } from '../attack.ts';
import { type FaultBench, heal, IMPATIENT } from './bench.ts';
import { must, post } from './payments.ts';
import { resolve } from './resolve.ts';
import { attack, type Fault, type FaultAttack, variantOf } from './rig.ts';

const NO_TOKEN = { fault: 'wrong', answer: { savedcard: null } };

/** What goes wrong while a card is checked with a hold, or when its token is requested after a good check. */
const FAULTS: Fault[][] = [
  [{ fault: 'hang', when: 'before' }],
  [{ fault: 'hang', when: 'after' }],
  [{ fault: 'status', status: 502, when: 'after' }],
  [{ fault: 'truncate', when: 'after' }],
  [{ fault: 'verify' }],
  [{ fault: 'duplicate' }],
  [{ fault: 'wrong-orderid' }],
  [{ fault: 'status', status: 403 }],
  [NO_TOKEN, { fault: 'status', status: 500, command: 'tokens' }],
  [NO_TOKEN, { fault: 'hang', when: 'after', command: 'tokens' }],
  [NO_TOKEN, { fault: 'wrong', command: 'tokens', answer: { token: null, cardref: 7 } }],
  [{ fault: 'late', seconds: 100_000 }],
];

async function savedCards(bench: FaultBench, round: Round): Promise<void> {
  const { emulator } = bench;
  for (const fault of variantOf(round, FAULTS)) await emulator.script({ command: 'authonly', ...fault });
  const key = randomUUID();
  const before = await countCards(bench);
  bench.reach(IMPATIENT);
  const first = await addCard(bench, key);
  await heal(bench);
  must(first.codes.includes('NotCharged'), `answered ${first.status} ${first.codes}`);
  const again = await addCard(bench, key);
  must(again.replayed && isDeepStrictEqual(again.body, first.body), 'the repeat is answered otherwise');
  must((await countCards(bench)) === before, 'a card was added all the same');
  const added = await addCard(bench, randomUUID());
  must(added.status === 200 && (await countCards(bench)) === before + 1, `answered ${added.status}`);
  await emulator.finishLateWork();
  await resolve(bench, round);
  must((await countCards(bench)) === before + 1, 'a card came, or went, afterwards');
}

async function addCard(bench: FaultBench, key: string) {
  const paymentKey = await bench.emulator.mintPaymentKey();
  return post(bench, '/usaepay/portal/paymentmethods', {
    body: { paymentKey, maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' },
    headers: { 'idempotency-key': key, authorization: `Bearer ${bench.other.token}` },
  });
}

async function countCards({ portal, other }: FaultBench): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM payment_method WHERE user_id = ${other.userId}`);
  return rows[0]?.count ?? 0;
}

export const savedCardAttacks: FaultAttack[] = [
  attack(
    'F05 card',
    'a card that is saved while the provider fails: not added, and its hold released',
    12,
    savedCards,
  ),
];
