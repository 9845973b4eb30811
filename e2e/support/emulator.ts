import { createHash } from 'node:crypto';
import { systemUnderTest } from './system.ts';

/** See the README of packages/gateway-emulator. A fault can hit any test that runs at the same time. */
export type Fault = {
  fault: string;
  when?: 'before' | 'after';
  command?: string;
  orderId?: string;
  invoice?: string;
  times?: number;
  after?: number;
  status?: number;
  seconds?: number;
  /** For the fault `wrong`: fields that override the true answer. */
  answer?: Record<string, unknown>;
};

export type LedgerTransaction = {
  key: string;
  merchant: string;
  trantype_code: string;
  status_code: string;
  result_code: string;
  amount: string;
  orderid: string;
  invoice: string;
};

/** Makes the card provider misbehave. */
export async function scriptFault(fault: Fault): Promise<void> {
  await control('POST', '/faults', fault);
}

export async function clearFaults(): Promise<void> {
  await control('DELETE', '/faults');
}

/** Releases this invoice's calls that the fault `slow` keeps waiting. */
export async function resumeSlowCalls(invoice: string): Promise<void> {
  await control('POST', '/faults/resume', { invoice });
}

/** The provider's own record of what happened. */
export async function providerLedger(): Promise<LedgerTransaction[]> {
  return (await control('GET', '/ledger')) as LedgerTransaction[];
}

/** Makes a transaction on the portal's account that the portal doesn't know. */
export async function askProvider(transaction: object): Promise<void> {
  const { result_code: result } = await callProvider('portal', '/transactions', transaction);
  if (result !== 'A') throw new Error(`the provider answered with the result ${result}`);
}

/** Makes a call with a merchant account's keys, as somebody in the provider's console does. */
export async function callProvider(
  merchant: string,
  path: string,
  body: object = {},
): Promise<{ result_code?: string; key?: string }> {
  const merchants = (await control('GET', '/merchants')) as { name: string; apiKey: string; pin: string }[];
  const { apiKey = '', pin = '' } = merchants.find(({ name }) => name === merchant) ?? {};
  const hash = createHash('sha256').update(`${apiKey}byhand${pin}`).digest('hex');
  const answer = await fetch(`${systemUnderTest().emulatorUrl}/api/v2${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${apiKey}:s2/byhand/${hash}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { result_code?: string; key?: string };
}

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${systemUnderTest().emulatorUrl}/_emulator${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
