import type { StaffList } from '@brightpane/contract/office/staff';

export type StaffMember = StaffList['items'][number];

/** Falls back to the address: people who haven't signed in yet have no name. */
export function personName({ firstName, lastName, email }: StaffMember): string {
  return `${firstName} ${lastName}`.trim() || email;
}
