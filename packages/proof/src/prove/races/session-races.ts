import { setTimeout as wait } from 'node:timers/promises';
import { PORTAL } from '../../../../../apps/api/src/db/audit.queries.ts';
import { createMailLink } from '../../../../../apps/api/src/modules/auth/mailbox/mail-tokens.ts';
import { switchUser } from '../../../../../apps/api/src/modules/office/switch-user.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { call } from '../../../../../apps/api/test/build-test-app.ts';
import {
  type SignedInUser,
  signInUser,
  startSessionOf,
  TEST_PASSWORD,
} from '../../../../../apps/api/test/factories/users.ts';
import type { Attack, Round } from '../attack.ts';
import { asCustomer, makeSharedInvoices, mustBePaidOnce, press, pressAt } from './pay.ts';
import type { RaceRig } from './rig.ts';

const TABS = [2, 5, 20];
const GRACE_SECONDS = 30;
const ACCESS_TOKEN_SECONDS = 600;
const NEW_PASSWORD = 'a new one for the same windows';

export const sessionRaces: Attack<RaceRig>[] = [
  {
    id: 'F47',
    name: '2, 5 or 20 tabs with the same refresh token stay signed in, as one session',
    runs: 30,
    async run(rig, round) {
      const user = await signInUser(rig.instances[0]);
      const tabs = Array.from({ length: TABS[round.run % TABS.length] ?? 2 });
      const answers = await Promise.all(tabs.map(() => refresh(rig, round, user.refreshToken)));
      for (const { status } of answers) mustBe(status, 200, 'a tab was signed out');
      const [successor, ...others] = new Set(answers.map(({ refreshToken }) => refreshToken));
      mustBe(others.length, 0, 'tabs have different successors');
      await mustBeSignedIn(rig, round, String(successor));
      mustBe(await countSessions(rig, user), 1, 'there is not one session');
    },
  },
  {
    id: 'F48',
    name: 'a refresh whose answer was lost gets the same successor in time, and ends the session later',
    runs: 10,
    async run(rig, round) {
      const { refreshToken } = await signInUser(rig.instances[0]);
      const lost = await refresh(rig, round, refreshToken);
      const isInTime = round.run % 2 === 0;
      const seconds = isInTime ? round.random.integer(GRACE_SECONDS - 1) : GRACE_SECONDS + 1;
      await advanceEngineClock(rig.instances[0].deps, seconds);
      const again = await refresh(rig, round, refreshToken);
      if (isInTime) {
        mustBe(again.refreshToken, lost.refreshToken, 'the successor is another');
        return mustBeSignedIn(rig, round, lost.refreshToken);
      }
      mustBe(again.status, 401, 'an old token was taken');
      await mustBeSignedOut(rig, round, lost);
    },
  },
  {
    id: 'F49',
    name: 'a refresh that meets logging out, a new password or a locked account ends signed out',
    runs: 12,
    async run(rig, round) {
      const user = await signInUser(rig.instances[0]);
      const end = ENDINGS[round.run % ENDINGS.length] ?? logOut;
      const ending = await end(rig, round, user);
      const refreshing = Array.from({ length: 3 }, () => refresh(rig, round, user.refreshToken));
      const [, ...answers] = await Promise.all([ending(), ...refreshing]);
      for (const answer of [{ status: 200, ...user, accessToken: user.token }, ...answers]) {
        if (answer.status === 200) await mustBeSignedOut(rig, round, answer);
        else mustBe(answer.status, 401, 'a refresh heard something else');
      }
    },
  },
  {
    id: 'F50',
    name: 'an access token that ran out before Pay is refused, and after a refresh it is one charge',
    runs: 6,
    async run(rig, round) {
      const { run, random } = round;
      const customer = random.pick(rig.customers);
      const invoices = await makeSharedInvoices(rig, [customer], { invoices: run % 2 === 0 ? 1 : 3 });
      const late = await asCustomer(rig, customer, invoices);
      rig.advanceClock(ACCESS_TOKEN_SECONDS + 6);
      const refused = await pressAt(rig, random.pick(rig.instances), late);
      mustBe(refused.status, 401, 'a token that had run out was taken');
      const fresh = await asCustomer(rig, customer, invoices, late.key);
      const told = await Promise.all([press(rig, round, fresh), press(rig, round, fresh)]);
      for (const { heard } of told) mustBe(heard, 'paid', 'with a new token it was not paid');
      await mustBePaidOnce(rig, invoices);
    },
  },
  {
    id: 'F57',
    name: 'a sign-in that meets a new password or a locked account leaves no session',
    runs: 20,
    async run(rig, round) {
      const user = await signInUser(rig.instances[0]);
      // From a known address, so that other rounds' failures don't keep the right password out.
      await startSessionOf(rig.instances[0].deps, { ...user, ip: HERE });
      const end = round.run % 2 === 0 ? chooseNewPassword : lockAccount;
      const ending = await end(rig, round, user);
      const signingIn = Array.from({ length: 3 }, () => signIn(rig, round, user));
      const [, ...answers] = await Promise.all([ending(), ...signingIn]);
      for (const answer of answers) {
        if (answer.status === 200) await mustBeSignedOut(rig, round, answer);
        // 429 once other rounds have used up what the address may fail.
        else if (answer.status !== 429) mustBe(answer.status, 401, 'a sign-in heard something else');
      }
      mustBe(await countSessions(rig, user), 0, 'there are sessions');
    },
  },
];

/** The address of calls without a network. */
const HERE = '127.0.0.1';

type Refreshed = { status: number; refreshToken: string; accessToken: string };

async function refresh({ instances }: RaceRig, { random }: Round, refreshToken: string): Promise<Refreshed> {
  const instance = random.pick(instances);
  await wait(random.integer(21));
  const answer = await call(instance, 'POST', '/authentication/refresh', { body: { refreshToken } });
  return { status: answer.statusCode, ...answer.json() };
}

async function signIn(
  { instances }: RaceRig,
  { random }: Round,
  { email }: SignedInUser,
): Promise<Refreshed> {
  const instance = random.pick(instances);
  await wait(random.integer(121));
  const body = { email, password: TEST_PASSWORD };
  const answer = await call(instance, 'POST', '/authentication/login', { body });
  return { status: answer.statusCode, ...answer.json() };
}

type Ending = (rig: RaceRig, round: Round, user: SignedInUser) => Promise<() => Promise<void>>;

const logOut: Ending = async ({ instances }, { random }, { refreshToken }) => {
  const instance = random.pick(instances);
  return async () => {
    await wait(random.integer(21));
    const answer = await call(instance, 'POST', '/authentication/logout', { body: { refreshToken } });
    mustBe(answer.statusCode, 204, 'logging out failed');
  };
};

const chooseNewPassword: Ending = async ({ instances }, { random }, { email }) => {
  const { deps } = instances[0];
  const link = await deps.db.transaction((tx) => createMailLink(deps, tx, { purpose: 'reset', email }));
  const token = new URL(link).searchParams.get('t');
  const instance = random.pick(instances);
  return async () => {
    const body = { email, passwordToken: token, password: NEW_PASSWORD };
    const answer = await call(instance, 'POST', '/user/confirmresetpassword', { body });
    if (answer.statusCode >= 300) throw new Error(`the password stays: ${answer.body}`);
  };
};

const lockAccount: Ending = async ({ instances }, { random }, { email }) => {
  const { deps } = random.pick(instances);
  return async () => {
    await wait(random.integer(21));
    await switchUser(deps, { email, active: false, by: PORTAL });
  };
};

const ENDINGS = [logOut, chooseNewPassword, lockAccount];

async function mustBeSignedIn(rig: RaceRig, round: Round, refreshToken: string): Promise<void> {
  const next = await refresh(rig, round, refreshToken);
  mustBe(next.status, 200, 'the successor is not good');
  const me = await call(round.random.pick(rig.instances), 'GET', '/user', { token: next.accessToken });
  mustBe(me.statusCode, 200, 'the access token is not good');
}

/** Immediate where the session ended, a second or two everywhere else. */
const HEARD_OF_MILLISECONDS = 5_000;

async function mustBeSignedOut(
  rig: RaceRig,
  round: Round,
  { refreshToken, accessToken }: Omit<Refreshed, 'status'>,
): Promise<void> {
  mustBe((await refresh(rig, round, refreshToken)).status, 401, 'a session that ended was refreshed');
  for (const instance of rig.instances) {
    const isIn = async () =>
      (await call(instance, 'GET', '/user', { token: accessToken })).statusCode !== 401;
    const start = performance.now();
    while (await isIn()) {
      if (performance.now() - start > HEARD_OF_MILLISECONDS) throw new Error('an ended session goes on');
      await wait(50);
    }
  }
}

async function countSessions({ instances: [{ deps }] }: RaceRig, { userId }: SignedInUser): Promise<number> {
  const { rows } = await deps.db.pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM session WHERE user_id = $1 AND ended_at IS NULL',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

function mustBe(is: unknown, should: unknown, otherwise: string): void {
  if (is !== should) throw new Error(`${otherwise}: ${is} in place of ${should}`);
}
