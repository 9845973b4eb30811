import type { StaffAdded } from '@brightpane/contract/office/staff';
import type { Role } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { retireMailTokensOf } from '../../auth/mailbox/mail-tokens.queries.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { isHeldForUndo } from '../../auth/users/held-addresses.queries.ts';
import { findUserByEmail } from '../../auth/users/users.queries.ts';
import { judgePlace, standingOf } from './judge-place.ts';
import { insertStaff, setFranchises, setUserType } from './people.queries.ts';
import { sendStaffLink } from './send-staff-link.ts';
import { findStaffByEmail, lockStaff, type StaffRow, updateStaff } from './staff.queries.ts';
import { tellAdmins } from './tell-staff.ts';
import { findFranchisesOf } from './visible.queries.ts';

/** Gives somebody access by a mailed link. Repeating it for somebody who hasn't enrolled yet renews the link. */
export async function addStaff(
  deps: Deps,
  tx: Queryable,
  request: FastifyRequest,
  given: { email: string; role: Role; franchiseIds?: number[] | undefined },
) {
  const { caller } = request;
  const email = emailKey(given.email);
  const place = await judgePlace(tx, { caller, role: given.role, franchiseIds: given.franchiseIds ?? [] });
  if (!place.ok) return place;
  const { role, franchiseIds } = place.value;
  await spendStepUp(tx, request);

  let known = await lockStaffByEmail(tx, email);
  if (!known && (await isHeldForUndo(tx, email))) return fail('email-taken');
  const madeId = known
    ? null
    : await insertStaff(tx, {
        email,
        firstName: '',
        lastName: '',
        role,
        franchiseIds,
        state: 'invited',
        isConfirmed: false,
        invitedBy: caller.id,
      });
  // Somebody else may have added the person at the same moment.
  if (madeId === null) known ??= await lockStaffByEmail(tx, email);
  const renewed = known ? await renew(tx, request, known) : ok(null);
  if (!renewed.ok) return renewed;
  const before = renewed.value;
  const staffId = madeId ?? known?.id;
  if (staffId === undefined) return fail(await whyTaken(tx, email));
  // Links of an unconfirmed registration would confirm the address, or set a customer's short password.
  if (!known) await retireMailTokensOf(tx, { emails: [email], now: deps.clock() });
  if (known) {
    await updateStaff(tx, { id: staffId, role });
    await setUserType(tx, { userId: known.userId, role });
    await setFranchises(tx, { staffId, franchiseIds });
  }
  const link = await sendStaffLink(deps, tx, { email });
  if (link === null) return fail('too-many-attempts', { retryAfterSeconds: 3600 });
  const isByKey = caller.kind === 'key';
  if (isByKey) await tellAdmins(tx, { email, news: 'added-by-key' });
  await recordAct(tx, caller, {
    action: known ? 'invite-staff-again' : 'add-staff',
    subject: `staff ${staffId}`,
    ...ofOffices([...(before?.franchiseIds ?? []), ...franchiseIds]),
    ...(before && { before }),
    after: { email, role, franchiseIds },
  });
  const added: StaffAdded = {
    staffId,
    email,
    role,
    franchiseIds,
    state: 'invited',
    ...(isByKey && { link }),
  };
  return ok(added);
}

async function lockStaffByEmail(tx: Queryable, email: string): Promise<StaffRow | undefined> {
  const found = await findStaffByEmail(tx, email);
  return found && (await lockStaff(tx, found.id));
}

/** What an invited person was invited as before. */
async function renew(tx: Queryable, { caller }: FastifyRequest, known: StaffRow) {
  const franchiseIds = await findFranchisesOf(tx, known.id);
  const standing = await standingOf(tx, { caller, role: known.role, franchiseIds });
  if (standing !== 'changeable') return fail('staff-elsewhere');
  if (known.state === 'off') return fail('staff-off');
  return known.state === 'invited'
    ? ok({ email: known.email, role: known.role, franchiseIds })
    : fail('already-staff');
}

/** An unconfirmed account is nobody's, and keeps its address only while it is switched off. */
async function whyTaken(tx: Queryable, email: string) {
  const user = await findUserByEmail(tx, email);
  return user && !user.active && user.emailConfirmedAt === null ? 'email-switched-off' : 'email-taken';
}
