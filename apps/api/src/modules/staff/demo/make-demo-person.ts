import type { Role } from '@brightpane/contract/office-rights';
import type { Queryable } from '../../../db/client.ts';
import { insertStaff } from '../people/people.queries.ts';
import { findStaffByEmail, type StaffRow } from '../people/staff.queries.ts';

type DemoPerson = { firstName: string; lastName: string; role: Role; franchiseIds: number[] };

/** The people of the demo's story. */
const PEOPLE: Record<string, DemoPerson> = {
  'olive@example.com': { firstName: 'Olive', lastName: 'Reyes', role: 'owner', franchiseIds: [11] },
  'henry@example.com': { firstName: 'Henry', lastName: 'Park', role: 'admin', franchiseIds: [] },
};

/** Creates one of them, without a password or factor; undefined for anybody else. */
export async function makeDemoPerson(tx: Queryable, email: string): Promise<StaffRow | undefined> {
  const person = PEOPLE[email];
  if (!person) return undefined;
  const made = await insertStaff(tx, {
    ...person,
    email,
    state: 'active',
    isConfirmed: true,
    invitedBy: null,
  });
  return made === null ? undefined : findStaffByEmail(tx, email);
}
