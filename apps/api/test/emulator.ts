import { createHash } from 'node:crypto';
import { type RunningEmulator, startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { afterAll, beforeAll } from 'vitest';

/** A merchant account as the emulator defines it. */
export type EmulatedMerchant = { name: string; apiKey: string; pin: string; publicKey: string };

/** The provider's own record, the oracle of every payment test. */
export type LedgerRow = {
  key: string;
  refnum: string;
  merchant: string;
  trantype_code: string;
  status_code: string;
  result_code: string;
  amount: string;
  orderid: string;
  /** Where the provider would mail a receipt. */
  email: string;
};

export const APPROVED_CARD = '4000100011112224';

/** The emulator, used only through its socket. */
export type TestEmulator = {
  url: string;
  apiUrl: string;
  merchants(): Promise<EmulatedMerchant[]>;
  merchant(name: string): Promise<EmulatedMerchant>;
  ledger(): Promise<LedgerRow[]>;
  script(fault: Record<string, unknown>): Promise<void>;
  /**
   * Holds the next such call until the returned function is called, so that what a test does meanwhile happens
   * meanwhile, however slow the machine is. By default the provider acts at once and holds its answer.
   */
  hold(call?: { command?: string; when?: 'before' | 'after' }): Promise<() => Promise<void>>;
  /** Releases calls that a `slow` fault holds; returns how many. */
  resumeSlowCalls(): Promise<number>;
  clearFaults(): Promise<void>;
  /** Changes switches of the emulator's behavior by name. */
  switch(changes: Record<string, unknown>): Promise<void>;
  /** Forgets every transaction; faults, tokens and keys stay. */
  reset(): Promise<void>;
  finishLateWork(): Promise<void>;
  /** Returns what its clock shows then. */
  advanceClock(seconds: number): Promise<Date>;
  /** The browser's card field's result: a key for one charge. */
  mintPaymentKey(options?: { card?: string; merchant?: string }): Promise<string>;
  /** Makes a call as the merchant's own people would by hand. */
  callAs(merchant: string, method: string, path: string, body?: object): Promise<Record<string, unknown>>;
};

/** An emulator for one test file. */
export function useEmulator(): TestEmulator {
  const held = {} as TestEmulator;
  let running: RunningEmulator;
  beforeAll(async () => {
    running = await startEmulator({ delayScale: 0 });
    Object.assign(held, testEmulator(running.url));
  });
  afterAll(() => running.close());
  return held;
}

export function testEmulator(url: string): TestEmulator {
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/_emulator/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const merchants = async () => (await control('GET', 'merchants')) as EmulatedMerchant[];
  const merchant = async (name: string) => {
    const found = (await merchants()).find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no merchant ${name}`);
    return found;
  };
  const script = async (fault: Record<string, unknown>) => void (await control('POST', 'faults', fault));
  const resumeSlowCalls = async () =>
    ((await control('POST', 'faults/resume', {})) as { resumed: number }).resumed;
  return {
    url,
    apiUrl: `${url}/api/v2`,
    merchants,
    merchant,
    ledger: async () => (await control('GET', 'ledger')) as LedgerRow[],
    script,
    resumeSlowCalls,
    async hold({ command = 'authonly', when = 'after' } = {}) {
      await script({ fault: 'slow', when, command });
      return async () => {
        while ((await resumeSlowCalls()) === 0);
      };
    },
    reset: async () => void (await control('POST', 'reset', {})),
    switch: async (changes) => void (await control('POST', 'switches', changes)),
    clearFaults: async () => void (await control('DELETE', 'faults')),
    finishLateWork: async () => void (await control('POST', 'faults/finish', {})),
    async advanceClock(advanceSeconds) {
      const { now } = (await control('POST', 'clock', { advanceSeconds })) as { now: string };
      return new Date(now);
    },
    async mintPaymentKey({ card = APPROVED_CARD, merchant: name = 'portal' } = {}) {
      const { publicKey } = await merchant(name);
      const response = await fetch(`${url}/api/v2/pub/payment_keys`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${publicKey}:s2//`)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ creditcard: { number: card, expiration: '1230', cvc: '123' } }),
      });
      const { key } = (await response.json()) as { key: string };
      return key;
    },
    async callAs(name, method, path, body) {
      const { apiKey, pin } = await merchant(name);
      const seed = 'byhand';
      const hash = createHash('sha256').update(`${apiKey}${seed}${pin}`).digest('hex');
      const response = await fetch(`${url}/api/v2${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(`${apiKey}:s2/${seed}/${hash}`)}`,
          'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}
