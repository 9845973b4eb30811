import type { StaffList } from '@brightpane/contract/office/staff';

export type StaffMember = StaffList['items'][number];

/** Who has not been here yet has no name. */
export function personName({ firstName, lastName, email }: StaffMember): string {
  return `${firstName} ${lastName}`.trim() || email;
}
