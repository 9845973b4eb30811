import type { Me } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { callOffice, type OfficeCall, type OfficeCallOptions } from '../../../lib/api-client.ts';

/** Whether this browser supports passkeys. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Passkeys belong to a host name; there are none for IP addresses. */
export function isPasskeyHost({ hostname }: Pick<Location, 'hostname'> = window.location): boolean {
  return !/^[\d.]+$|^\[/.test(hostname);
}

/** The person canceled, or the browser refused. */
export const PASSKEY_LEFT = 'The passkey was not used. Try again, or take another way.';

type PasskeyAnswer<Data> = Answer<Data> | 'left';

/** Requests options, has the browser sign them and sends the result. Loads the passkey script on first use. */
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

/** The passkey may be the whole sign-in, or its second factor. */
export const signInByPasskey = () =>
  provePasskey<Me>(
    { options: OFFICE_ENDPOINTS.passkeyOptions, confirm: OFFICE_ENDPOINTS.showPasskey },
    {},
    { isAnonymous: true },
  );

/** Creates a passkey on this device and sends its public key to the server. */
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
