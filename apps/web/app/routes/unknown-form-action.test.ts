import type { ClientActionFunctionArgs } from 'react-router';
import { expect, test } from 'vitest';

type Routes = Record<
  string,
  { clientAction?: (args: Pick<ClientActionFunctionArgs, 'request' | 'params'>) => Promise<unknown> }
>;

const ROUTES: Routes = import.meta.glob('./**/*.tsx', { eager: true });

/** Their screens have one form each, which doesn't name itself. */
const WITH_ONE_FORM = [
  './anonymous/accept-invite.tsx',
  './anonymous/forgot-password.tsx',
  './anonymous/register.tsx',
  './anonymous/reset-password.tsx',
  './portal/add-location.tsx',
  './portal/add-payment-method.tsx',
];

const acting = Object.entries(ROUTES).flatMap(([file, { clientAction }]) =>
  clientAction ? [{ file, clientAction }] : [],
);

test('every screen with one form has an action', () => {
  expect(acting.map(({ file }) => file)).toEqual(expect.arrayContaining(WITH_ONE_FORM));
});

test.each(acting.filter(({ file }) => !WITH_ONE_FORM.includes(file)))(
  '$file refuses a form that it does not know, rather than doing nothing or something else',
  async ({ file, clientAction }) => {
    const isJson = file === './guest/quick-pay.tsx';
    const form = new FormData();
    form.set('intent', 'unknown');
    const body = isJson ? JSON.stringify({ intent: 'unknown' }) : form;
    const request = new Request('http://localhost', { method: 'POST', body });
    const params = { what: 'unknown' };
    await expect(clientAction({ request, params })).rejects.toThrow('Unknown form action: unknown');
  },
);
