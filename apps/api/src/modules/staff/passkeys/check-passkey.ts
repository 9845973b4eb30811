import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { findStaff } from '../people/staff.queries.ts';
import { type Bound, spendChallenge } from './challenges.queries.ts';
import { lockPasskey, notePasskeyUsed } from './passkeys.queries.ts';
import { readChallenge } from './read-challenge.ts';
import { verifyPasskey } from './webauthn.ts';

/**
 * Checks a passkey's answer to a challenge bound to exactly this purpose, and returns its person. `staffId` requires a
 * certain person. Spends the challenge, right or wrong, so the caller's transaction must commit either way.
 */
export async function checkPasskey(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  {
    credential,
    bound,
    staffId = null,
  }: { credential: { id: string }; bound: Bound; staffId?: string | null },
) {
  const challenge = readChallenge(credential);
  const isAsked = await spendChallenge(tx, { ...bound, challenge });
  const factor = await lockPasskey(tx, Buffer.from(credential.id, 'base64url'));
  const person = factor && (await findStaff(tx, factor.staffId));
  if (!factor || !person) return fail('passkey-failed');
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
