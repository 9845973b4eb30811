import { sql } from 'drizzle-orm';
import {
  attack,
  type FaultAttack,
  kindOf,
  LOOK_UP_SECONDS,
  pay,
  placeIn,
  sweepAfter,
  variantOf,
} from './fault-attack.ts';
import { must } from './payments.ts';
import { resolve } from './resolve.ts';
import type { FaultRig } from './rig.ts';

/** What an approving answer to a capture claims about another one, or leaves out. */
const LIES = [
  { key: 'onfwht1w2ftfssf' },
  { auth_amount: '1.00' },
  { key: null },
  { auth_amount: null },
  { auth_amount: '0108.25' },
  { key: 'onfwht1w2ftfssf', auth_amount: '999.99' },
];

/** Whether or not the capture happened, the portal stores it only once the provider's own record says so. */
const lyingCaptures: FaultAttack['run'] = async (rig, round) => {
  const answer = variantOf(round, LIES);
  const payment = await pay(rig, kindOf(round, LIES));
  const when = Math.floor(round.run / LIES.length) % 2 === 0 ? 'after' : 'before';
  const after = placeIn(round, payment);
  await rig.emulator.script({ fault: 'wrong', command: 'capture', answer, when, after });
  const begin = rig.proxy.calls.length;
  await sweepAfter(rig, 0);
  must((await countAccepted(rig)) === 1, 'a capture was believed that was not ours');
  await sweepAfter(rig, LOOK_UP_SECONDS);
  must((await countAccepted(rig)) === 0, 'the capture was not looked at');
  const names = rig.proxy.calls.slice(begin).map(({ name }) => name);
  must(names.includes('get'), 'the provider was not asked where the capture stands');
  const captures = names.filter((name) => name === 'capture').length;
  const expected = payment.invoices.length + (when === 'before' ? 1 : 0);
  must(captures === expected, `${captures} captures were asked for`);
  await resolve(rig, round);
};

/** Counts this run's charges that are accepted but not captured. */
async function countAccepted({ portal, run }: FaultRig): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
    SELECT count(*)::integer FROM charge
     WHERE id <> ALL(${sql.param([...run.before])}::uuid[]) AND state = 'accepted'`);
  return rows[0]?.count ?? 0;
}

export const captureLies: FaultAttack[] = [
  attack(
    'F62',
    'a capture approved with another key or amount: looked at before it is stored, and captured once',
    4 * LIES.length,
    lyingCaptures,
  ),
];
