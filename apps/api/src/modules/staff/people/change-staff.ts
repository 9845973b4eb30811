import { isHqRole, type Role } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import { brokenConstraint, type Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { retireMailTokensOf } from '../../auth/mailbox/mail-tokens.queries.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { holdChangeable } from './hold-changeable.ts';
import { judgePlace, placeVersion } from './judge-place.ts';
import { setFranchises, setUserType } from './people.queries.ts';
import { type StaffRow, updateStaff } from './staff.queries.ts';
import { tellAdmins } from './tell-staff.ts';

export type StaffChange = {
  staffId: string;
  role?: Role | undefined;
  franchiseIds?: number[] | undefined;
  active?: boolean | undefined;
  /** The version of the role and the franchises that the caller saw. */
  version: number | undefined;
};

/** Whoever else mails to this address, such as an office that invites a customer, isn't concerned. */
const STAFF_LINKS = ['staff', 'office-reset', 'demo'] as const;

/**
 * Changes a person's role or franchises, or switches them off or on. Each change signs the
 * person out in the same commit.
 */
export async function changeStaff(deps: Deps, request: FastifyRequest, change: StaffChange) {
  try {
    return await allOrNothing(deps.db, (tx) => applyChange(deps, tx, request, change));
  } catch (error) {
    // Raised at commit, if two transactions removed the last two admins at once.
    if (brokenConstraint(error) === 'one_admin_remains') return fail('last-admin');
    throw error;
  }
}

async function applyChange(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  request: FastifyRequest,
  change: StaffChange,
) {
  const { caller } = request;
  const held = await holdChangeable(tx, { caller, staffId: change.staffId });
  if (!held.ok) return held;
  const { person, franchiseIds: before } = held.value;
  const version = placeVersion({ role: person.role, franchiseIds: before });
  if (change.version !== undefined && change.version !== version) return fail('edited-meanwhile');
  const role = change.role ?? person.role;
  const kept = isHqRole(role) && change.franchiseIds === undefined ? [] : before;
  const place = await judgePlace(tx, { caller, role, franchiseIds: change.franchiseIds ?? kept });
  if (!place.ok) return place;
  await spendStepUp(tx, request);
  if (person.id === caller.id) return fail('not-yourself');

  const { franchiseIds } = place.value;
  const state = await stateAfter(tx, { person, active: change.active });
  await setUserType(tx, { userId: person.userId, role });
  await updateStaff(tx, { id: person.id, role, state });
  await setFranchises(tx, { staffId: person.id, franchiseIds });
  await endSessions(tx, { staffId: person.id, reason: 'changed' });
  // Otherwise an earlier mail's link would work again once the person is switched on.
  if (state === 'off') {
    await retireMailTokensOf(tx, { emails: [person.email], purposes: STAFF_LINKS, now: deps.clock() });
  }
  if (caller.kind === 'key') await tellAdmins(tx, { email: person.email, news: 'changed-by-key' });
  await recordAct(tx, caller, {
    action: 'change-staff',
    subject: `staff ${person.id}`,
    ...ofOffices([...before, ...franchiseIds]),
    before: { email: person.email, role: person.role, franchiseIds: before, state: person.state },
    after: { email: person.email, role, franchiseIds, state },
  });
  return ok({ staffId: person.id, email: person.email, role, franchiseIds, state });
}

/** A person who returns without a factor has to enrol first. */
async function stateAfter(
  tx: Queryable,
  { person, active }: { person: StaffRow; active: boolean | undefined },
): Promise<StaffRow['state']> {
  if (active === undefined || active === (person.state !== 'off')) return person.state;
  if (!active) return 'off';
  return (await listFactors(tx, person.id)).length > 0 ? 'active' : 'invited';
}
