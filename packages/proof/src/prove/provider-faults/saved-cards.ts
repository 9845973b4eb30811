import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Round } from '../attack.ts';
import { attack, type Fault, type FaultAttack, variantOf } from './fault-attack.ts';
import { must, post } from './payments.ts';
import { resolve } from './resolve.ts';
import { type FaultRig, heal, IMPATIENT } from './rig.ts';

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

async function savedCards(rig: FaultRig, round: Round): Promise<void> {
  const { emulator } = rig;
  for (const fault of variantOf(round, FAULTS)) await emulator.script({ command: 'authonly', ...fault });
  const key = randomUUID();
  const before = await countCards(rig);
  rig.reach(IMPATIENT);
  const first = await addCard(rig, key);
  await heal(rig);
  must(first.codes.includes('NotCharged'), `answered ${first.status} ${first.codes}`);
  const again = await addCard(rig, key);
  must(again.replayed && isDeepStrictEqual(again.body, first.body), 'the repeat is answered otherwise');
  must((await countCards(rig)) === before, 'a card was added all the same');
  const added = await addCard(rig, randomUUID());
  must(added.status === 200 && (await countCards(rig)) === before + 1, `answered ${added.status}`);
  await emulator.finishLateWork();
  await resolve(rig, round);
  must((await countCards(rig)) === before + 1, 'a card came, or went, afterwards');
}

async function addCard(rig: FaultRig, key: string) {
  const paymentKey = await rig.emulator.mintPaymentKey();
  return post(rig, '/usaepay/portal/paymentmethods', {
    body: { paymentKey, maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' },
    headers: { 'idempotency-key': key, authorization: `Bearer ${rig.other.token}` },
  });
}

async function countCards({ portal, other }: FaultRig): Promise<number> {
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
