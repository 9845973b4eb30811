import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { lockStaff } from '../people/staff.queries.ts';
import type { Bound } from './challenges.queries.ts';
import { findPasskeyOwner, lockPasskey, notePasskeyUsed } from './passkeys.queries.ts';
import { readChallenge } from './read-challenge.ts';
import { spendChallenge } from './spend-challenge.ts';
import { verifyPasskey } from './webauthn.ts';

/**
 * Checks a passkey's answer to a challenge bound to exactly this purpose, and returns its person. `staffId` requires a
 * certain person. Spends the challenge, right or wrong, so the caller's transaction must commit either way; for an unknown
 * passkey nothing is written.
 */
export async function checkPasskey(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  {
    credential,
    bound,
    staffId = null,
  }: { credential: { id: string }; bound: Bound; staffId?: string | null },
) {
  const credentialId = Buffer.from(credential.id, 'base64url');
  const owner = await findPasskeyOwner(tx, credentialId);
  const person = owner && (await lockStaff(tx, owner));
  const factor = person && (await lockPasskey(tx, credentialId));
  if (!factor) return fail('passkey-failed');
  const challenge = readChallenge(credential);
  const isAsked = await spendChallenge(deps, tx, { ...bound, challenge });
  const isTheirs = staffId === null || staffId === person.id;
  const signCount =
    isAsked && isTheirs ? await verifyPasskey(deps.env, { credential, challenge, factor }) : null;
  if (signCount === null) {
    await recordAct(
      tx,
      { id: person.id, name: person.email },
      {
        action: 'refuse-factor',
        subject: `staff ${person.id}`,
        detail: { method: 'passkey', isAsked, isTheirs },
      },
    );
    return fail('passkey-failed');
  }
  await notePasskeyUsed(tx, { factorId: factor.id, signCount });
  return ok({ factorId: factor.id, person });
}
