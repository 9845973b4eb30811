import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { findStaff } from '../people/staff.queries.ts';
import { makeChallenge } from './make-challenge.ts';
import { creationOptions } from './webauthn.ts';

/** Browser options for creating a passkey; excludes those that the person already has. */
export async function offerNewPasskey(deps: Deps, { caller, ip }: { caller: OfficeCaller; ip: string }) {
  const { id, sessionId, name: email } = caller;
  const made = await makeChallenge(deps, { purpose: 'enrol', sessionId, actHash: null, ip });
  if (!made.ok) return made;
  const person = await findStaff(deps.db.query, id);
  if (!person) return fail('sign-in-expired');
  const factors = await listFactors(deps.db.query, id);
  const passkeys = factors.filter(({ kind }) => kind === 'passkey');
  const { webauthnId } = person;
  return ok(await creationOptions(deps.env, { challenge: made.value, webauthnId, email, passkeys }));
}
