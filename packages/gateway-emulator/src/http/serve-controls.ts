import type { IncomingMessage, ServerResponse } from 'node:http';
import { dueSettlements } from '../batches.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Emulator } from '../emulator.ts';
import { readFault } from '../faults/fault.ts';
import type { Transaction } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';
import { readSwitches } from '../switches.ts';
import { dollarsOf } from '../transactions/dollars.ts';
import { hasExpired } from '../transactions/status-view.ts';
import { readJson } from './read-json.ts';

type Answer = { status: number; body: unknown };

const done: Answer = { status: 200, body: {} };

function bad(detail: string): Answer {
  return { status: 400, body: { error: detail } };
}

function ledgerRow(emulator: Emulator, transaction: Transaction): Record<string, unknown> {
  const { key, refnum, merchant, command, type, status, result, amountCents, fields, createdAt } =
    transaction;
  const { originalKey = '', sentClerk = '', batchKey = '' } = transaction;
  return {
    key,
    refnum,
    merchant,
    command,
    trantype_code: type,
    status_code: hasExpired(transaction, emulator.now()) ? 'X' : status,
    result_code: result,
    amount: dollarsOf(amountCents),
    orderid: textOf(fields.orderid),
    invoice: textOf(fields.invoice),
    email: textOf(fields.email),
    original: originalKey,
    clerk: sentClerk,
    batch: batchKey,
    created: merchantTime(createdAt, emulator.switches.timeZone),
  };
}

async function finishLateWork(emulator: Emulator): Promise<Answer> {
  const finished = [...emulator.lateWork];
  for (const { run } of finished) await run();
  return { status: 200, body: { finished: finished.length } };
}

/** Ends the waits of the `slow` fault; with `invoice`, only those of its calls. */
function resumeSlowCalls({ slowCalls }: Emulator, { invoice }: Record<string, unknown>): Answer {
  const resumed = [...slowCalls].filter((call) => invoice === undefined || call.invoice === invoice);
  for (const { goOn } of resumed) goOn();
  return { status: 200, body: { resumed: resumed.length } };
}

type Control = (emulator: Emulator, body: Record<string, unknown>) => Answer | Promise<Answer>;

const CONTROLS: Record<string, Control> = {
  'GET /_emulator/merchants': ({ merchants }) => ({
    status: 200,
    body: merchants.map(({ name, apiKey, pin, publicKey }) => ({ name, apiKey, pin, publicKey })),
  }),
  'GET /_emulator/ledger': (emulator) => ({
    status: 200,
    body: emulator.ledger.all('transactions').map((transaction) => ledgerRow(emulator, transaction)),
  }),
  'POST /_emulator/reset': async ({ ledger }) => {
    await ledger.reset();
    return done;
  },
  'GET /_emulator/faults': ({ faults }) => ({ status: 200, body: faults.list() }),
  'POST /_emulator/faults': ({ faults }, body) => {
    const fault = readFault(body);
    if (typeof fault === 'string') return bad(fault);
    faults.add(fault);
    return { status: 201, body: fault };
  },
  'DELETE /_emulator/faults': ({ faults }) => {
    faults.clear();
    return done;
  },
  'POST /_emulator/faults/finish': finishLateWork,
  'POST /_emulator/faults/resume': resumeSlowCalls,
  'GET /_emulator/switches': ({ switches }) => ({ status: 200, body: switches }),
  'POST /_emulator/switches': (emulator, body) => {
    const changed = readSwitches(body);
    if (typeof changed === 'string') return bad(changed);
    Object.assign(emulator.switches, changed);
    return { status: 200, body: emulator.switches };
  },
  'POST /_emulator/clock': async (emulator, { advanceSeconds }) => {
    if (typeof advanceSeconds !== 'number') return bad('advanceSeconds must be a number');
    emulator.clockShift += advanceSeconds * 1000;
    await emulator.ledger.commit(dueSettlements({ ...emulator, now: emulator.now() }));
    return { status: 200, body: { now: new Date(emulator.now()).toISOString() } };
  },
};

/** Control calls for tests and people; the provider has no such calls. */
export async function serveControls(
  emulator: Emulator,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const control = CONTROLS[`${request.method} ${url.pathname}`];
  const json = await readJson(request);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const answer = !control
    ? { status: 404, body: { error: 'no such control' } }
    : !isObject
      ? bad('the body must be a JSON object')
      : await control(emulator, json as Record<string, unknown>);
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
}
