import type { LightMyRequestResponse } from 'fastify';
import { TEST_SECRETS, type TestApp } from '../build-test-app.ts';
import { type TestEmulator, useEmulator } from '../emulator.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { usePaymentsApp } from '../factories/payments/payments.ts';
import { addCard } from '../factories/unpaid-invoices.ts';
import { linkLocation, signInUser } from '../factories/users.ts';
import { CALLS, type CallName, type Request } from './calls.ts';
import type { Victim } from './victim.ts';

export type HostilePortal = TestApp & {
  emulator: TestEmulator;
  /** Resets all counters of failures. */
  forgetFailures(): Promise<void>;
  makeVictim(): Promise<Victim>;
  /** A fully valid request, to be spoiled. */
  goodRequest(name: CallName, victim: Victim): Request;
  send(request: Request): Promise<LightMyRequestResponse>;
};

/** The setting of a portal behind one proxy. */
export const BEHIND_A_PROXY = { TRUST_PROXY: '1' };

export function useHostilePortal(): HostilePortal {
  const emulator = useEmulator();
  return asHostile(
    usePaymentsApp(emulator, () => BEHIND_A_PROXY),
    emulator,
  );
}

/** Sends every request from a new address. */
export function asHostile(portal: TestApp, emulator: TestEmulator): HostilePortal {
  let lastAddress = 0;
  const freshAddress = () => `10.${++lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;

  return Object.assign(portal, {
    emulator,
    async forgetFailures() {
      await portal.deps.db.pool.query('DELETE FROM limit_counter');
    },
    async makeVictim() {
      const user = await signInUser(portal);
      const invoice = await makeInvoice(portal.deps.db.query);
      await linkLocation(portal, { ...user, ...invoice });
      const paymentMethodId = await addCard(portal, emulator, user);
      const paymentKey = await emulator.mintPaymentKey();
      return { ...user, ...invoice, paymentMethodId, paymentKey };
    },
    goodRequest(name: CallName, victim: Victim): Request {
      const { method, path, key, body } = CALLS[name];
      return {
        method,
        url: `/api${path(victim)}`,
        headers: {
          ...(key !== 'office' && { 'x-apisecret': TEST_SECRETS.apiSecret }),
          ...(key === 'session' && { authorization: `Bearer ${victim.token}` }),
          ...(key === 'office' && { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { payload: body(victim) }),
      };
    },
    async send({ method, url, headers, payload }: Request) {
      return portal.app.inject({
        method: method as 'GET',
        url,
        headers: { 'x-forwarded-for': freshAddress(), ...headers },
        ...(payload !== undefined && {
          payload:
            typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
        }),
      });
    },
  });
}
