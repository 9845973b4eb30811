import type { TestApp } from '../build-test-app.ts';
import {
  callConfirmed,
  callConsole,
  makeStaff,
  OFFICE_ORIGIN,
  signInStaff,
  type TestPerson,
} from './office-people.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

export type Passkey = ReturnType<typeof createSoftwarePasskey>;
export type PasskeyOwner = { person: TestPerson; cookie: string; passkey: Passkey };

/** The options that a passkey has to sign. */
export async function optionsFor(
  portal: TestApp,
  path: string,
  { cookie, body = {} }: { cookie?: string; body?: unknown } = {},
) {
  const answer = await callConsole(portal, 'POST', path, { cookie, body });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ challenge: string; rpId?: string; userVerification?: string }>();
}

/** A new credential for a signed-in person, as the console sends it. */
export async function newPasskeyOf(portal: TestApp, { cookie }: { cookie: string }) {
  const passkey = createSoftwarePasskey();
  const { challenge } = await optionsFor(portal, '/factors/passkey/options', { cookie });
  const body = { credential: passkey.create({ challenge, origin: OFFICE_ORIGIN }), name: 'Laptop' };
  return { passkey, body };
}

/** A signed-in person with an app and a passkey. */
export async function makePasskeyOwner(portal: TestApp): Promise<PasskeyOwner> {
  const person = await makeStaff(portal);
  const cookie = await signInStaff(portal, person);
  const { passkey, body } = await newPasskeyOf(portal, { cookie });
  const added = await callConfirmed(portal, { cookie, person }, 'POST', '/factors/passkey', body);
  if (added.statusCode !== 200) throw new Error(added.body);
  return { person, cookie, passkey };
}
