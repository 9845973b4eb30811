import { HQ_ROLES, ROLES } from '@brightpane/contract/office-rights';
import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import type { OfficeClient } from '../office-client.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

type Person = {
  staffId: string;
  email: string;
  role: string;
  franchiseIds: number[];
  state: string;
  isHeld: boolean;
};

/** How staff and keys come in again after a restore. */
export const CONFIRM_ACCESS = 'npm run portal -- staff list, then staff confirm-all';

/** The people of the demo. */
const DEMO_EMAILS = ['olive@example.com', 'henry@example.com'];

const TEXT = { type: 'string' } as const;

/** `staff add|list|off|reset-factors|confirm|confirm-all|demo-link`: manages the people of the office console. */
export const staff: Command = async (client, [what = '', ...parameters], print) => {
  const act = Object.hasOwn(ACTS, what) && ACTS[what];
  if (!act) throw new WrongWords(`Say what to do: ${Object.keys(ACTS).join(', ')}.`);
  await act(client, parameters, print);
};

/** Each refuses the options of the others: `confirm-all --email E` would confirm everybody. */
const ACTS: Record<string, Command> = {
  add: async (client, args, print) => {
    const options = { email: TEXT, role: TEXT, franchise: { ...TEXT, multiple: true } } as const;
    const { email, role, franchise = [] } = readParameters({ args, options }).values;
    if (!email || !role) throw new WrongWords('Say --email E --role R.');
    requirePlace(role, franchise);
    const franchiseIds = franchise.map(Number);
    const added = await client.call<{ link: string }>('addStaff', {
      json: { email, role, ...(franchiseIds.length > 0 && { franchiseIds }) },
    });
    print(`Added ${email} as ${role}. The link is in the mail too, works once and for 72 hours:`);
    print(added.link);
  },
  list: async (client, args, print) => {
    readParameters({ args, options: {} });
    const { items } = await client.call<{ items: Person[] }>('staff');
    for (const { email, role, franchiseIds, state, isHeld } of items) {
      const now = isHeld && state !== 'off' ? 'held' : state;
      print([email, role, franchiseIds.join(' ') || 'every franchise', now].join('  '));
    }
  },
  off: async (client, args, print) => {
    const { email } = readParameters({ args, options: { email: TEXT } }).values;
    const { staffId } = await findPerson(client, email);
    await client.call('changeStaff', { params: { staffId }, json: { active: false } });
    print(`Switched ${email} off.`);
  },
  'reset-factors': async (client, args, print) => {
    const { email } = readParameters({ args, options: { email: TEXT } }).values;
    const { staffId } = await findPerson(client, email);
    await client.call('resetFactors', { params: { staffId } });
    print(`Removed all second factors of ${email}. Signing in with the password sends a link for new ones.`);
  },
  'confirm-all': async (client, args, print) => {
    readParameters({ args, options: {} });
    const { staff: people, keys } = await confirm(client, { all: true });
    print(`Confirmed ${sayPeopleAndKeys(people, keys)}.`);
  },
  confirm: async (client, args, print) => {
    const { email, key } = readParameters({ args, options: { email: TEXT, key: TEXT } }).values;
    if ((email === undefined) === (key === undefined)) throw new WrongWords('Say --email E or --key K.');
    const confirmed = await confirm(client, email === undefined ? { key } : { email });
    if (confirmed.staff + confirmed.keys === 0)
      throw new CliFailure(`Nothing was confirmed: ${email ?? `the key bpo_${key}`} does not wait for it.`);
    print(`Confirmed ${email ?? `the key bpo_${key}`}.`);
  },
  'demo-link': async (client, args, print) => {
    const { email } = readParameters({ args, options: { email: TEXT } }).values;
    for (const each of email ? [email] : DEMO_EMAILS) {
      const { link } = await client.call<{ link: string }>('demoLink', { json: { email: each } });
      print(`${each}: ${link}`);
    }
  },
};

export const sayPeopleAndKeys = (people: number, keys: number) =>
  `${people} ${people === 1 ? 'person' : 'people'} and ${keys} ${keys === 1 ? 'key' : 'keys'}`;

function requirePlace(role: string, franchise: string[]): void {
  if (!(ROLES as readonly string[]).includes(role))
    throw new WrongWords(`A role is one of ${ROLES.join(', ')}.`);
  const isHq = (HQ_ROLES as readonly string[]).includes(role);
  if (isHq && franchise.length > 0)
    throw new WrongWords('Headquarters see every franchise: leave --franchise out.');
  if (!isHq && franchise.length === 0)
    throw new WrongWords('An office role needs at least one --franchise N.');
}

function confirm(client: OfficeClient, who: object) {
  return client.call<{ staff: number; keys: number }>('confirmStaff', { json: who });
}

async function findPerson(client: OfficeClient, email: string | undefined): Promise<Person> {
  if (!email) throw new WrongWords('Say --email E.');
  const { items } = await client.call<{ items: Person[] }>('staff');
  const found = items.find((each) => each.email === email.trim().toLowerCase());
  if (!found) throw new CliFailure(`Nobody of the staff has the address ${email}.`);
  return found;
}
