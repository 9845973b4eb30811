import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Env } from '../../../env.ts';
import type { FactorRow } from '../factors/factors.queries.ts';

type Settings = Pick<Env, 'OFFICE_URL'>;

/** Loaded with the first passkey, because many instances never need it. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256; every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

const rpIdOf = ({ OFFICE_URL }: Settings) => new URL(OFFICE_URL).hostname;

export async function creationOptions(
  env: Settings,
  {
    challenge,
    webauthnId,
    email,
    passkeys,
  }: {
    challenge: Buffer;
    webauthnId: Buffer;
    email: string;
    passkeys: FactorRow[];
  },
) {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Brightpane office',
    rpID: rpIdOf(env),
    userName: email,
    userID: new Uint8Array(webauthnId),
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId?.toString('base64url') ?? '',
      transports: transports ?? [],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** Lists no credentials, so as not to reveal which passkeys somebody has. */
export async function requestOptions(env: Settings, { challenge }: { challenge: Buffer }) {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(env),
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  });
  return { ...options };
}

export type NewCredential = {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
};

/**
 * Reads a new passkey, or returns null if it doesn't answer this challenge, on this site and verified by its person.
 */
export async function readNewPasskey(
  env: Settings,
  { credential, challenge }: { credential: unknown; challenge: Buffer },
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: env.OFFICE_URL,
    expectedRPID: rpIdOf(env),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports,
  };
}

/** The passkey's new counter, or null if its signature is invalid or its counter went backwards. */
export async function verifyPasskey(
  env: Settings,
  { credential, challenge, factor }: { credential: unknown; challenge: Buffer; factor: FactorRow },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { credentialId, publicKey, signCount } = factor;
  if (!credentialId || !publicKey || signCount === null) return null;
  const verified = await verifyAuthenticationResponse({
    response: credential as AuthenticationResponseJSON,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: env.OFFICE_URL,
    expectedRPID: rpIdOf(env),
    credential: {
      id: credentialId.toString('base64url'),
      publicKey: new Uint8Array(publicKey),
      counter: signCount,
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
