import type { Deps } from '../../../deps.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { findStaff } from '../people/staff.queries.ts';
import { mintChallenge } from './challenge-token.ts';
import { creationOptions } from './webauthn.ts';

/** Browser options for creating a passkey; excludes those that the person already has. */
export async function offerNewPasskey(deps: Deps, { caller }: { caller: StaffCaller }) {
  const { id, session, name: email } = caller;
  const challenge = mintChallenge(deps, { purpose: 'enrol', sessionId: session.id, actHash: null });
  const person = await findStaff(deps.db.query, id);
  if (!person) return fail('sign-in-expired');
  const factors = await listFactors(deps.db.query, id);
  const passkeys = factors.filter(({ kind }) => kind === 'passkey');
  const { webauthnId } = person;
  return ok(await creationOptions(deps.env, { challenge, webauthnId, email, passkeys }));
}
