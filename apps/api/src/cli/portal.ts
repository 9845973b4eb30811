import { parseArgs } from 'node:util';
import { escapeInvisible } from '@brightpane/contract/escape-invisible';
import { CliFailure } from './cli-failure.ts';
import type { Command } from './command.ts';
import { clock } from './commands/clock.ts';
import { credits } from './commands/credits.ts';
import { found } from './commands/found.ts';
import { importFile } from './commands/import-file.ts';
import { invite } from './commands/invite.ts';
import { moved } from './commands/moved.ts';
import { paymentPageCheck } from './commands/payment-page-check.ts';
import { reconcile } from './commands/reconcile.ts';
import { refunds } from './commands/refunds.ts';
import { restored } from './commands/restored.ts';
import { review } from './commands/review.ts';
import { staff } from './commands/staff.ts';
import { status } from './commands/status.ts';
import { createOfficeClient } from './office-client.ts';
import { WrongWords } from './wrong-words.ts';

const USAGE = `The office's side of the portal.

  npm run portal -- import FILE                          take invoices from a .csv or .json file
  npm run portal -- invite --franchise N --customer N --email E
  npm run portal -- status                               what is open, and whether anything needs a person
  npm run portal -- reconcile                            compare our books with the provider's, now
  npm run portal -- review                               the charges that need a person
  npm run portal -- review release|close|reverse CHARGE  decide one of them
  npm run portal -- refunds                              the refunds that need a person; the console decides them
  npm run portal -- restored [--since TIME]              the database was put back: no payments until it is compared,
                                                         and no staff or keys of offices until they are confirmed
  npm run portal -- moved --from URL                     the portal has moved here: work on the payments begun there
  npm run portal -- found [acknowledge ORDER]            the payments that a restored database has lost
  npm run portal -- credits [seen ID]                    the credits of franchises without an email address
  npm run portal -- staff add --email E --role R [--franchise N]…
                                                         give somebody access to the office console
  npm run portal -- staff list                           who works there, and who is held after a restore
  npm run portal -- staff off|reset-factors --email E    switch somebody off, or have them make new second factors
  npm run portal -- staff confirm-all                    after a restore: everybody and every key may come in again
  npm run portal -- staff confirm --email E|--key K      after a restore: one person, or the key with K after bpo_
  npm run portal -- staff demo-link [--email E]          an address that signs in to the demo’s console, once
  npm run portal -- clock +3d                            the demo only: let so many days (d), hours (h) or minutes (m) pass
  npm run portal -- payment-page-check [--url U] [--baseline FILE] [--approve]
                                                         whether the pages that take cards are as they were approved

It talks to PUBLIC_URL (else http://127.0.0.1:PORT, port 3000) with OFFICE_API_KEY (else that of npm start).
For staff and moved it shows OPERATOR_KEY where that is set; in production the portal refuses both without it.
`;

const COMMANDS = new Map<string, Command>([
  ['import', importFile],
  ['invite', invite],
  ['status', status],
  ['reconcile', reconcile],
  ['review', review],
  ['refunds', refunds],
  ['payment-page-check', paymentPageCheck],
  ['restored', restored],
  ['moved', moved],
  ['found', found],
  ['credits', credits],
  ['staff', staff],
  ['clock', clock],
]);

// Whoever reads through `head` leaves early. The command goes on, and its exit code stays its own.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function main(): Promise<void> {
  const [name = '', ...parameters] = process.argv.slice(2);
  const command = COMMANDS.get(name);
  if (!command || asksForHelp(parameters)) {
    const isAsked = name === 'help' || name === '--help' || command !== undefined;
    (isAsked ? process.stdout : process.stderr).write(USAGE);
    if (!isAsked) process.exitCode = 2;
    return;
  }
  // Answers carry what payers and others typed, which may not command a terminal or look like lines of ours.
  try {
    await command(createOfficeClient(process.env), parameters, (line) =>
      process.stdout.write(`${escapeInvisible(line)}\n`),
    );
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    process.stderr.write(`${[error.message, ...error.lines].map(escapeInvisible).join('\n  ')}\n`);
    process.exitCode = error instanceof WrongWords ? 2 : 1;
  }
}

function asksForHelp(parameters: string[]): boolean {
  const { values } = parseArgs({
    args: parameters,
    options: { help: { type: 'boolean', short: 'h', default: false } },
    strict: false,
  });
  return values.help === true;
}

await main();
