import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';

const portal = useTestApp();

const person = { firstName: 'Zoë', lastName: 'Ærø', password: 'windows are for looking through' };
const CALLS: Record<string, (email: unknown) => ReturnType<typeof call>> = {
  register: (email) => post('/user/register', { ...person, email }),
  'accept-invite': (email) => post('/user/acceptinvite', { ...person, email, passwordToken: 'x' }),
  'forgot-password': (email) =>
    call(portal, 'POST', `/user/resetpassword?email=${encodeURIComponent(String(email))}`),
  'reset-password': (email) =>
    post('/user/confirmresetpassword', { email, password: person.password, passwordToken: 'x' }),
  resend: (email) => post('/user/resendemailconfirmation', { email }),
  confirm: (email) => post('/user/confirm', { email, token: 'x' }),
};
const post = (path: string, body: unknown) => call(portal, 'POST', path, { body });

test.each(
  Object.keys(CALLS).flatMap((name) =>
    ['zoe.example.com', 'zoe@example', ' ', 'a@b.example, c@d.example'].map(
      (email) => [name, email] as const,
    ),
  ),
)('%s refuses the email %j with its code, at its field', async (name, email) => {
  const answer = await CALLS[name]?.(email);
  expect(answer?.statusCode).toBe(400);
  expect(answer?.json()).toMatchObject({
    errors: [
      { code: 'InvalidEmail', field: 'email', description: expect.stringMatching(/email address\.$/) },
    ],
  });
});
