import type { Status } from '@brightpane/contract/office';
import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { CONFIRM_ACCESS, sayPeopleAndKeys } from './staff.ts';

/** A portal of an earlier release doesn't say. */
const NONE_HELD: Status['access'] = { heldPeople: 0, heldKeys: 0 };

/** `status`: shows what is open. Fails if something needs a person, for use by a monitor. */
export const status: Command = async (client, parameters, print) => {
  readParameters({ args: parameters, options: {} });
  await client.requireReady();
  const { access = NONE_HELD, ...rest } = await client.call<Status>('status');
  const state = { ...rest, access };
  for (const [name, value] of factsOf(state)) print(`${name.padEnd(28)}${value}`);
  const [fault, ...more] = faultsOf(state);
  if (fault !== undefined) throw new CliFailure(fault, more);
};

function factsOf(state: Status): [name: string, value: string][] {
  const { payments, refunds, mail, background } = state;
  return [
    [
      'Portal',
      payments.isClosed ? `ready, closed for payments on ${accounts(payments.closedAccounts)}` : 'ready',
    ],
    ['Last import', state.lastImportAt ?? 'none'],
    ['Payments under way', String(payments.undecided)],
    ['Unfinished charges', sayByState(payments.unfinished)],
    ['Charges in review', String(payments.inReview)],
    ['Refunds under way', sayByState(refunds.underWay)],
    ['Refunds that need a person', String(refunds.needPerson)],
    ['Payments found', String(payments.found)],
    ['Access held', sayHeld(state.access)],
    ...(payments.unreadMarks.length > 0
      ? [['Hidden by Postgres', payments.unreadMarks.join(', ')] as [string, string]]
      : []),
    ['Credits unseen', String(payments.creditsUnseen)],
    ['Secrets unreadable', orNone(state.unreadableSecrets)],
    ['Under an earlier DATA_KEY', String(state.secretsUnderEarlierKey)],
    ['Rules of the books broken', orNone(state.brokenRules)],
    [
      'Books compared',
      payments.incompleteSince ? `not in full since ${payments.incompleteSince}` : 'in full',
    ],
    ['Differences', String(payments.differences)],
    ['Mail waiting', mail.waitingSince ? `${mail.waiting} since ${mail.waitingSince}` : String(mail.waiting)],
    ['Mail late', String(mail.late)],
    ['Mail given up', String(mail.givenUp)],
    ['Work that is late', orNone(background.late.map(({ lane, seconds }) => `${lane} by ${seconds} s`))],
    ['Not answering', orNone(background.notAnswering)],
  ];
}

/** What a person has to do something about, the worst first. */
function faultsOf({
  payments,
  access,
  brokenRules,
  unreadableSecrets,
  refunds,
  mail,
  background,
}: Status): string[] {
  const faults: [isSo: boolean, fault: string][] = [
    [brokenRules.length > 0, 'The books break their own rules: stop, and find out before anything else.'],
    [payments.isClosed, closedBecause(payments)],
    [payments.found > 0, 'Payments are not in our books: npm run portal -- found'],
    [access.heldPeople + access.heldKeys > 0, `Access is held, for ${sayHeld(access)}: ${CONFIRM_ACCESS}`],
    [payments.inReview > 0, 'Charges need a person: npm run portal -- review'],
    [refunds.needPerson > 0, 'Refunds need a person: npm run portal -- refunds'],
    [
      payments.creditsUnseen > 0,
      'Payers took credits at franchises without an email address: npm run portal -- credits',
    ],
    [
      unreadableSecrets.length > 0,
      'No DATA_KEY opens what these rows hold: put the key back, or send the merchant account’s keys again.',
    ],
    [
      payments.incompleteComparisons > 0,
      `The books were not compared in full with ${accounts(payments.incompleteComparisons)} at the provider: npm run portal -- reconcile`,
    ],
    [
      payments.differences > 0,
      'The books differ from the provider’s: look at each under Review in the console.',
    ],
    [mail.isStuck, 'No mail goes out: does the mail server answer?'],
    [mail.late > 0, 'Mail is due and not sent: do the background tasks run?'],
    [background.late.length > 0, 'Background work is late: is every instance well?'],
  ];
  return [
    ...faults.filter(([isSo]) => isSo).map(([, fault]) => fault),
    ...background.notAnswering.map((what) => `No answer from: ${what}.`),
  ];
}

const accounts = (count: number) => `${count} merchant account${count === 1 ? '' : 's'}`;

const closedBecause = ({ isRestored }: Status['payments']) =>
  isRestored
    ? 'The database was put back: each account is closed until its list at the provider has been compared.'
    : 'Accounts are closed: their lists at the provider have not been looked at since the database started.';

const sayHeld = ({ heldPeople, heldKeys }: Status['access']) =>
  heldPeople + heldKeys === 0 ? 'none' : sayPeopleAndKeys(heldPeople, heldKeys);

const sayByState = (open: { state: string; count: number; since: string }[]) =>
  orNone(open.map(({ state, count, since }) => `${count} ${state} since ${since}`));

const orNone = (words: string[]) => words.join(', ') || 'none';
