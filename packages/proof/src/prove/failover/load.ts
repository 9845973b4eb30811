import { setTimeout as wait } from 'node:timers/promises';
import { confirmSeen } from '../../../../../apps/api/src/db/confirm-seen.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Round } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { asCustomer, asGuest, makeSharedInvoices, type Press } from '../races/pay.ts';
import type { FailoverRig } from './rig.ts';

/** What people who pay and read are told while something happens. */
export type Load = {
  /** The times of the answers, in milliseconds of this process. */
  paidAt: number[];
  refusedAt: number[];
  readAt: number[];
  /** The times at which unrelated commits were acknowledged. */
  wroteAt: number[];
  slowestMilliseconds: number;
  /** Answers that nobody should get, in words. */
  wrong: string[];
  stop(): Promise<void>;
};

const PAYERS = 6;
const READERS = 2;
const BETWEEN_PRESSES_MILLISECONDS = 200;
const BETWEEN_READS_MILLISECONDS = 300;
const BETWEEN_WRITES_MILLISECONDS = 100;
/** Without a primary, no answer takes longer. */
const MOST_MILLISECONDS = 10_000;
/** The tolerance for a busy machine. */
const MACHINE_MILLISECONDS = 2_000;

export function startLoad(rig: FailoverRig, round: Round): Load {
  let isOver = false;
  const load: Load = {
    paidAt: [],
    refusedAt: [],
    readAt: [],
    wroteAt: [],
    slowestMilliseconds: 0,
    wrong: [],
    async stop() {
      isOver = true;
      await Promise.all(everybody);
    },
  };
  const portalOf = (index: number) => rig.processes[index % rig.processes.length]?.url ?? '';
  const note = (what: string, begin: number) => {
    const milliseconds = performance.now() - begin;
    load.slowestMilliseconds = Math.max(load.slowestMilliseconds, milliseconds);
    if (milliseconds > MOST_MILLISECONDS + MACHINE_MILLISECONDS) {
      load.wrong.push(`${what} took ${Math.round(milliseconds)} ms`);
    }
  };

  const pressUntilTold = async (index: number, press: Press) => {
    while (!isOver) {
      const begin = performance.now();
      const heard = await pressOverNetwork(portalOf(index), press);
      note('a payment', begin);
      rig.told.push(heard);
      if (heard.status === 0) load.wrong.push('a payment was not answered');
      if (heard.status === 503) {
        load.refusedAt.push(performance.now());
        if (heard.retryAfter === undefined) load.wrong.push('a 503 without Retry-After');
      }
      if (heard.heard === 'paid') load.paidAt.push(performance.now());
      if (heard.heard !== 'nothing certain') return;
      await wait(BETWEEN_PRESSES_MILLISECONDS);
    }
  };
  const payOn = async (index: number) => {
    while (!isOver) {
      // Preparing a payment directly in the database fails too while there is no leader.
      const press = await nextPress(rig, round, index).catch(() => wait(BETWEEN_PRESSES_MILLISECONDS));
      if (press) await pressUntilTold(index, press);
    }
  };
  const readOn = async (index: number) => {
    const reader = rig.customers.at(-1) ?? rig.customers[0];
    const { accessToken } = await startSessionOf(rig.instances[0].deps, reader);
    while (!isOver) {
      const begin = performance.now();
      const status = await read(`${portalOf(index)}/api/user/invoice`, accessToken);
      note('a list', begin);
      if (status === 200) load.readAt.push(performance.now());
      else if (status !== 503) load.wrong.push(`a list was answered with ${status}`);
      await wait(BETWEEN_READS_MILLISECONDS);
    }
  };
  const writeOn = async () => {
    while (!isOver) {
      const hasWritten = await confirmSeen(rig.instances[0].deps.db).then(
        () => true,
        () => false,
      );
      if (hasWritten) load.wroteAt.push(performance.now());
      await wait(BETWEEN_WRITES_MILLISECONDS);
    }
  };
  const everybody = [
    writeOn(),
    ...Array.from({ length: PAYERS }, (_, index) => payOn(index)),
    ...Array.from({ length: READERS }, (_, index) => readOn(index)),
  ];
  return load;
}

async function read(url: string, token: string): Promise<number> {
  try {
    const answer = await fetch(url, {
      headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function nextPress(rig: FailoverRig, { random }: Round, index: number): Promise<Press> {
  const customer = rig.customers[index % (rig.customers.length - 1)] ?? rig.customers[0];
  const isGuest = random.percent(60);
  const invoices = await makeSharedInvoices(rig, [customer], {
    invoices: isGuest ? 1 : 1 + random.integer(3),
  });
  return isGuest ? asGuest(rig, invoices) : asCustomer(rig, customer, invoices);
}
