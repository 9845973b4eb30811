import { randomUUID } from 'node:crypto';
import { isHqRole, RIGHTS_OF, type Role } from '@brightpane/contract/office-rights';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import type { OfficeCaller } from '../../../../../apps/api/src/http/office-caller.ts';
import { insertStaff } from '../../../../../apps/api/src/modules/staff/people/people.queries.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';

/** Office staff, as the API knows a caller. */
export type Clerk = { name: string; caller: OfficeCaller };

type Drawn = { role: Role; places: number[] };

/**
 * The kinds of clerks that a simulation draws from: a role, and which of its three franchises it is for. None named is
 * all of them.
 */
const CLERK_KINDS: Drawn[] = [
  { role: 'clerk', places: [0, 1] },
  { role: 'owner', places: [0, 1, 2] },
  { role: 'finance', places: [] },
  { role: 'clerk', places: [1, 2] },
];
const LEAST_CLERKS = 2;

/** Draws two to four neighboring kinds, so that some can request and others approve. */
export function drawClerks(random: SeededRandom): Drawn[] {
  const first = random.integer(CLERK_KINDS.length);
  const count = LEAST_CLERKS + random.integer(CLERK_KINDS.length - LEAST_CLERKS + 1);
  return [...CLERK_KINDS, ...CLERK_KINDS].slice(first, first + count);
}

export async function makeClerks(
  { db }: Deps,
  { drawn, franchiseIds }: { drawn: Drawn[]; franchiseIds: number[] },
): Promise<Clerk[]> {
  const clerks: Clerk[] = [];
  for (const [index, { role, places }] of drawn.entries()) {
    const email = `${randomUUID()}@staff.example`;
    const id = await db.transaction((tx) =>
      insertStaff(tx, {
        email,
        firstName: 'Robin',
        lastName: 'Clerk',
        role,
        franchiseIds: places.flatMap((place) => franchiseIds[place] ?? []),
        state: 'active',
        isConfirmed: true,
        invitedBy: null,
      }),
    );
    if (id === null) throw new Error('the email is taken');
    clerks.push({ name: `${role} ${index}`, caller: callerOf({ id, email, role }) });
  }
  return clerks;
}

const callerOf = ({ id, email, role }: { id: string; email: string; role: Role }): OfficeCaller => ({
  kind: 'staff',
  id,
  name: email,
  rights: new Set(RIGHTS_OF[role]),
  role,
  isForAll: isHqRole(role),
  session: { id: randomUUID(), level: 'full', isDemo: false },
});
