import { HQ_ROLES, ROLES } from '@brightpane/contract/office-rights';
import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import type { OfficeClient } from '../office-client.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

type Print = (line: string) => void;
type Person = { staffId: string; email: string; role: string; franchiseIds: number[]; state: string };

/** The people of the demo. */
const DEMO_EMAILS = ['olive@example.com', 'henry@example.com'];

const OPTIONS = {
  email: { type: 'string' },
  role: { type: 'string' },
  franchise: { type: 'string', multiple: true, default: [] as string[] },
  key: { type: 'string' },
} as const;

type Values = { email?: string; role?: string; franchise: string[]; key?: string };

/** `staff add|list|off|reset-factors|confirm|confirm-all|demo-link`: manages the people of the office console. */
export const staff: Command = async (client, [what = '', ...parameters], print) => {
  const { values } = readParameters({ args: parameters, options: OPTIONS });
  const act = ACTS[what];
  if (!act) throw new WrongWords(`Say what to do: ${Object.keys(ACTS).join(', ')}.`);
  await act(client, values as Values, print);
};

const ACTS: Record<string, (client: OfficeClient, values: Values, print: Print) => Promise<void>> = {
  add: async (client, { email, role, franchise }, print) => {
    if (!email || !role) throw new WrongWords('Say --email E --role R.');
    requirePlace(role, franchise);
    const franchiseIds = franchise.map(Number);
    const added = await client.call<{ link: string }>('addStaff', {
      json: { email, role, ...(franchiseIds.length > 0 && { franchiseIds }) },
    });
    print(`Added ${email} as ${role}. The link is in the mail too, works once and for 72 hours:`);
    print(added.link);
  },
  list: async (client, _values, print) => {
    const { items } = await client.call<{ items: Person[] }>('staff');
    for (const { email, role, franchiseIds, state } of items) {
      print([email, role, franchiseIds.join(' ') || 'every franchise', state].join('  '));
    }
  },
  off: async (client, { email }, print) => {
    const { staffId } = await findPerson(client, email);
    await client.call('changeStaff', { params: { staffId }, json: { active: false } });
    print(`Switched ${email} off.`);
  },
  'reset-factors': async (client, { email }, print) => {
    const { staffId } = await findPerson(client, email);
    await client.call('resetFactors', { params: { staffId } });
    print(`Removed all second factors of ${email}. Signing in with the password sends a link for new ones.`);
  },
  'confirm-all': async (client, _values, print) => confirm(client, { all: true }, print),
  confirm: async (client, { email, key }, print) => {
    if ((email === undefined) === (key === undefined)) throw new WrongWords('Say --email E or --key K.');
    await confirm(client, email === undefined ? { key } : { email }, print);
  },
  'demo-link': async (client, { email }, print) => {
    for (const each of email ? [email] : DEMO_EMAILS) {
      const { link } = await client.call<{ link: string }>('demoLink', { json: { email: each } });
      print(`${each}: ${link}`);
    }
  },
};

function requirePlace(role: string, franchise: string[]): void {
  if (!(ROLES as readonly string[]).includes(role))
    throw new WrongWords(`A role is one of ${ROLES.join(', ')}.`);
  const isHq = (HQ_ROLES as readonly string[]).includes(role);
  if (isHq && franchise.length > 0)
    throw new WrongWords('Headquarters see every franchise: leave --franchise out.');
  if (!isHq && franchise.length === 0)
    throw new WrongWords('An office role needs at least one --franchise N.');
}

async function confirm(client: OfficeClient, who: object, print: Print): Promise<void> {
  const { staff: people, keys } = await client.call<{ staff: number; keys: number }>('confirmStaff', {
    json: who,
  });
  print(
    `Confirmed ${people} ${people === 1 ? 'person' : 'people'} and ${keys} ${keys === 1 ? 'key' : 'keys'}.`,
  );
}

async function findPerson(client: OfficeClient, email: string | undefined): Promise<Person> {
  if (!email) throw new WrongWords('Say --email E.');
  const { items } = await client.call<{ items: Person[] }>('staff');
  const found = items.find((each) => each.email === email.trim().toLowerCase());
  if (!found) throw new CliFailure(`Nobody of the staff has the address ${email}.`);
  return found;
}
