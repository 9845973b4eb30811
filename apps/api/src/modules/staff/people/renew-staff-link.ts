import type { StaffAdded } from '@brightpane/contract/office/staff';
import type { FastifyRequest } from 'fastify';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { holdChangeable } from './hold-changeable.ts';
import { sendStaffLink } from './send-staff-link.ts';
import { tellAdmins } from './tell-staff.ts';

/** Sends a new link to somebody without a second factor. */
export async function renewStaffLink(
  deps: Deps,
  tx: Queryable,
  request: FastifyRequest,
  { staffId }: { staffId: string },
) {
  const { caller } = request;
  const held = await holdChangeable(tx, { caller, staffId });
  if (!held.ok) return held;
  const { person, franchiseIds } = held.value;
  await spendStepUp(tx, request);
  if (person.state === 'off' || (await listFactors(tx, staffId)).length > 0) return fail('has-access');
  const { email, role, state } = person;
  const link = await sendStaffLink(deps, tx, { email });
  if (link === null) return fail('too-many-attempts', { retryAfterSeconds: 3600 });
  const isByKey = caller.kind === 'key';
  if (isByKey) await tellAdmins(tx, { email, news: 'changed-by-key' });
  await recordAct(tx, caller, {
    action: 'renew-staff-link',
    subject: `staff ${staffId}`,
    ...ofOffices(franchiseIds),
  });
  const renewed: StaffAdded = { staffId, email, role, franchiseIds, state, ...(isByKey && { link }) };
  return ok(renewed);
}
