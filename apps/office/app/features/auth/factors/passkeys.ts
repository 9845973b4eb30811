import type { Answer } from '@brightpane/ui/forms/ask-server';
import { callOffice, type OfficeCall, type OfficeCallOptions } from '../../../lib/api-client.ts';

/** Whether this browser can hold and show passkeys. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** A passkey belongs to a name: under the number of a host there are none. */
export function isPasskeyHost({ hostname }: Pick<Location, 'hostname'> = window.location): boolean {
  return !/^[\d.]+$|^\[/.test(hostname);
}

/** The person gave up, or the browser refused. */
export const PASSKEY_LEFT = 'The passkey was not used. Try again, or take another way.';

type PasskeyAnswer<Data> = Answer<Data> | 'left';

/** Asks for options, lets the browser sign them, and sends what it signed. The script for it comes on first use. */
export async function provePasskey<Data>(
  calls: { options: OfficeCall; confirm: OfficeCall },
  body: object = {},
  options: Pick<OfficeCallOptions, 'isAnonymous'> = {},
): Promise<PasskeyAnswer<Data>> {
  const asked = await callOffice<RequestOptions>(calls.options, { ...options, body });
  if (!asked.ok) return asked;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const credential = await startAuthentication({ optionsJSON: asked.data }).catch(() => null);
  if (credential === null) return 'left';
  return callOffice<Data>(calls.confirm, { ...options, body: { ...body, credential } });
}

/** Makes a passkey on this device and gives its public half to the server. */
export async function makePasskey<Data>(
  calls: { options: OfficeCall; confirm: OfficeCall },
  name: string,
  options: Pick<OfficeCallOptions, 'isAnonymous' | 'stepUp'> = {},
): Promise<PasskeyAnswer<Data>> {
  const asked = await callOffice<CreationOptions>(calls.options, { ...options, body: {} });
  if (!asked.ok) return asked;
  const { startRegistration } = await import('@simplewebauthn/browser');
  const credential = await startRegistration({ optionsJSON: asked.data }).catch(() => null);
  if (credential === null) return 'left';
  return callOffice<Data>(calls.confirm, { ...options, body: { credential, name }, once: 'add-passkey' });
}

type Library = typeof import('@simplewebauthn/browser');
type RequestOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];
type CreationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
