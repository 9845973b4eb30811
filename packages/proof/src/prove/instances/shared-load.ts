import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { makeUser, signInUser } from '../../../../../apps/api/test/factories/users.ts';
import type { Attack } from '../attack.ts';
import { codesOf, type Heard } from '../races/heard.ts';
import { asCustomer, asGuest, makeSharedInvoices, mustBePaidOnce } from '../races/pay.ts';
import { waitUntil } from '../races/wait-until.ts';
import { post, pressOverNetwork } from './press-over-network.ts';
import type { InstancesRig } from './rig.ts';

const PAYERS = 20;
const FAILURES_ALLOWED = 5;

export const sharedLoad: Attack<InstancesRig>[] = [
  {
    id: 'F25',
    name: '20 payers at three processes with one invoice: one has paid',
    runs: 20,
    async run(rig) {
      const invoices = await makeSharedInvoices(rig, rig.customers, { invoices: 1 });
      const presses = await Promise.all(
        Array.from({ length: PAYERS }, (_, index) => {
          const customer = index % 2 === 0 ? rig.customers[index / 2] : undefined;
          return customer ? asCustomer(rig, customer, invoices) : asGuest(rig, invoices);
        }),
      );
      const told = await Promise.all(presses.map((press) => pressOverNetwork(rig.url, press)));
      rig.told.push(...told);
      const winners = told.filter(({ heard }) => heard === 'paid');
      if (winners.length !== 1) throw new Error(`${winners.length} have paid: ${inWords(told)}`);
      if (!told.every((each) => winners.includes(each) || isLoser(each))) throw new Error(inWords(told));
      await mustBePaidOnce(rig, invoices);
    },
  },
  {
    id: 'INST1',
    name: 'failed sign-ins at three processes count as if there were one',
    runs: 3,
    async run(rig) {
      const { email } = await makeUser(rig.instances[0]);
      const signIn = () => call(rig, '/authentication/login', { email, password: 'wrong' });
      const statuses = [];
      for (let tries = 0; tries < FAILURES_ALLOWED + 3; tries++) statuses.push((await signIn())?.status);
      const expected = statuses.map((_, index) => (index < FAILURES_ALLOWED ? 401 : 429));
      if (String(statuses) !== String(expected)) throw new Error(`sign-ins were answered ${statuses}`);
    },
  },
  {
    id: 'INST2',
    name: '20 refreshes at once at three processes have one successor, which is good at each',
    runs: 5,
    async run(rig) {
      const { refreshToken } = await signInUser(rig.instances[0]);
      const refresh = (token: unknown) => call(rig, '/authentication/refresh', { refreshToken: token });
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
      const successors = new Set(answers.map((answer) => (answer?.body as Tokens | undefined)?.refreshToken));
      const [successor] = successors;
      if (successors.size !== 1 || !successor) throw new Error(`there are ${successors.size} successors`);
      const again = await Promise.all(rig.processes.map(() => refresh(successor)));
      if (again.some((answer) => answer?.status !== 200)) throw new Error('the successor is not good');
    },
  },
  {
    id: 'INST3',
    name: 'what three processes have accepted or lost is captured or released by their own sweeps',
    runs: 5,
    async run(rig) {
      const { deps } = rig.instances[0];
      const lost = 2;
      await rig.emulator.script({ fault: 'reset', when: 'after', command: 'authonly', times: lost });
      const presses = [];
      for (let index = 0; index < 9; index++) {
        presses.push(await asGuest(rig, await makeSharedInvoices(rig, [rig.customers[0]], { invoices: 1 })));
      }
      const told = await Promise.all(presses.map((press) => pressOverNetwork(rig.url, press)));
      rig.told.push(...told);
      const paid = told.filter(({ heard }) => heard === 'paid').length;
      if (paid !== presses.length - lost) throw new Error(inWords(told));
      await waitUntil(async () => {
        const { rows } = await deps.db.pool.query('SELECT FROM charge WHERE next_try_at IS NOT NULL LIMIT 1');
        return rows.length === 0;
      }, 'the processes sweep every charge');
    },
  },
];

type Tokens = { refreshToken?: string };

function call({ url }: InstancesRig, path: string, body: object) {
  return post(`${url}/api${path}`, { body, headers: { 'x-apisecret': TEST_SECRETS.apiSecret } });
}

const isLoser = (heard: Heard) =>
  [400, 409].includes(heard.status) &&
  codesOf(heard).some((code) => code === 'InProgress' || code === 'AlreadyPaid');

function inWords(told: Heard[]): string {
  return told.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).join('\n');
}
