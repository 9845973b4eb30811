import { randomUUID } from 'node:crypto';
import { expirePayments } from '../../../../../apps/api/src/modules/payments/sweep/expire-payments.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Attack } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { codesOf } from '../races/heard.ts';
import { mustBePaidOnce, pressAt } from '../races/pay.ts';
import { waitUntil } from '../races/wait-until.ts';
import { makeWish } from './pay-in-the-end.ts';
import { makeClockFile, SHIFT_CLOCKS, startForRun } from './process-troubles.ts';
import type { EnvironmentRig } from './rig.ts';

type Skew = {
  name: string;
  /** How far one process's clock is ahead of the others. */
  seconds: () => number;
  /** How far the clock jumps in the middle of a payment. */
  stepSeconds?: number;
  timeZone?: string;
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const secondsTo = (moment: string) => () => Math.floor((Date.parse(moment) - Date.now()) / 1000);

const SKEWS: Skew[] = [
  { name: 'five minutes ahead', seconds: () => 5 * MINUTE_SECONDS },
  { name: 'five minutes behind', seconds: () => -5 * MINUTE_SECONDS },
  { name: 'a day ahead', seconds: () => DAY_SECONDS },
  { name: 'a day behind', seconds: () => -DAY_SECONDS },
  { name: 'set back by an hour', seconds: () => 0, stepSeconds: -HOUR_SECONDS },
  { name: 'set back by five minutes', seconds: () => 5 * MINUTE_SECONDS, stepSeconds: -5 * MINUTE_SECONDS },
  { name: 'set ahead by a day', seconds: () => 0, stepSeconds: DAY_SECONDS },
  { name: 'a second ahead', seconds: () => 1 },
  { name: 'on a leap day', seconds: secondsTo('2028-02-29T12:00:00Z') },
  { name: 'as a leap day ends', seconds: secondsTo('2028-02-29T23:59:59Z') },
  {
    name: 'as summer time ends',
    seconds: secondsTo('2026-11-01T05:59:59Z'),
    timeZone: 'America/New_York',
  },
  {
    name: 'as summer time begins',
    seconds: secondsTo('2027-03-14T06:59:59Z'),
    timeZone: 'America/New_York',
  },
];

const TOKEN_SECONDS = 600;
const TOLERANCE_SECONDS = 5;
const SLOW_SECONDS = 1;

export const clockTroubles: Attack<EnvironmentRig>[] = [
  {
    id: 'F39',
    name: 'one process whose clock is wrong, or is set: leases and deadlines go by the database, tokens by 5 s',
    runs: SKEWS.length,
    async run(rig, { run }) {
      const { name, seconds, stepSeconds = 0, timeZone = 'UTC' } = SKEWS[run % SKEWS.length] ?? fail();
      const wallSeconds = seconds();
      const clock = await makeClockFile(rig);
      await clock.set({ wallSeconds });
      const skewed = await startForRun(rig, {
        preload: [SHIFT_CLOCKS],
        settings: { CLOCK_FILE: clock.file, TZ: timeZone },
      });
      await tokensMustGoByTheirClock(rig, { url: skewed.url, wallSeconds });

      // While another process asks for the card, the skewed one must neither end the payment nor start it again.
      const wish = await makeWish(rig, { accounts: 'guest' });
      await rig.emulator.script({
        fault: 'slow',
        seconds: SLOW_SECONDS,
        when: 'after',
        command: 'authonly',
      });
      const paying = pressAt(rig, rig.instances[0], await wish.press());
      await waitUntil(() => isClaimed(rig, wish.key), 'the payment has begun');
      await expirePayments(rig.instances[0].deps);
      const rival = await pressOverNetwork(skewed.url, {
        ...(await wish.press()),
        key: randomUUID(),
      });
      rig.told.push(rival);
      if (!codesOf(rival).includes('InProgress')) throw new Error(`${name}, a rival heard ${rival.status}`);
      if ((await paying).heard !== 'paid') throw new Error(`${name}, a payment elsewhere was ended`);

      // The skewed process's own payment must finish, even if its clock is set meanwhile.
      const own = await makeWish(rig, { accounts: 'guest' });
      await rig.emulator.script({
        fault: 'slow',
        seconds: SLOW_SECONDS,
        when: 'after',
        command: 'authonly',
      });
      const payingThere = pressOverNetwork(skewed.url, await own.press());
      await waitUntil(() => isClaimed(rig, own.key), 'its own payment has begun');
      await clock.set({ wallSeconds: wallSeconds + stepSeconds });
      const told = await payingThere;
      rig.told.push(told);
      if (told.heard !== 'paid') throw new Error(`${name}, its own payment heard ${told.status}`);
      for (const { invoices } of [wish, own]) await mustBePaidOnce(rig, invoices);
    },
  },
];

async function tokensMustGoByTheirClock(
  { instances: [{ deps }], customers: [customer] }: EnvironmentRig,
  { url, wallSeconds }: { url: string; wallSeconds: number },
): Promise<void> {
  const { accessToken } = await startSessionOf(deps, customer);
  const { status } = await fetch(`${url}/api/user`, {
    headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` },
  });
  const isGood = wallSeconds >= -TOLERANCE_SECONDS && wallSeconds < TOKEN_SECONDS;
  if (status !== (isGood ? 200 : 401))
    throw new Error(`${wallSeconds} s ahead, a token was answered ${status}`);
}

async function isClaimed({ instances: [{ deps }] }: EnvironmentRig, key: string): Promise<boolean> {
  const { rows } = await deps.db.pool.query('SELECT FROM payment_intent WHERE idem_key = $1', [key]);
  return rows.length > 0;
}

function fail(): never {
  throw new Error('there is no such variant');
}
