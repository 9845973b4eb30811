import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { franchiseNames } from '../../lib/me/franchise-names.ts';
import { roleWord } from '../../lib/me/role-words.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { OwnTime } from '../../ui/facts/own-time.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { AddStaff } from './add-staff.tsx';
import { StaffActions } from './staff-actions.tsx';
import { personName, type StaffMember } from './staff-member.ts';
import { StaffState } from './staff-state.tsx';

export function StaffScreen({ staff }: { staff: StaffMember[] }) {
  const { email, franchises } = useMe();
  const others = staff.filter((each) => each.email !== email);
  const nameOf = franchiseNames(franchises);
  const columns: ListColumn<StaffMember>[] = [
    { head: 'Name', isName: true, isWide: true, cell: (row) => <EmailText email={personName(row)} /> },
    {
      head: 'Email',
      isWide: true,
      cell: (row) => (personName(row) === row.email ? null : <EmailText email={row.email} />),
    },
    { head: 'Role', cell: (row) => roleWord(row.role) },
    {
      head: 'Franchises',
      isWide: true,
      cell: (row) => (row.franchiseIds.length === 0 ? 'All' : row.franchiseIds.map(nameOf).join('; ')),
    },
    { head: 'State', cell: (row) => <StaffState member={row} /> },
    { head: 'Factors', cell: factorWords },
    {
      head: 'Last signed in',
      cell: (row) => (row.lastSignInAt ? <OwnTime at={row.lastSignInAt} /> : 'Never'),
    },
  ];
  return (
    <div className="screen">
      <div className="screen-head">
        <OfficeTitle title="Staff" />
        {others.length > 0 && <AddStaff />}
      </div>
      {others.length === 0 && <EmptyState title="Only you so far." action={<AddStaff />} />}
      <ListRows
        caption="Staff"
        columns={columns}
        rows={staff}
        rowKey={(row) => row.staffId}
        rowDetails={(row) => row.mayChange && row.email !== email && <StaffActions member={row} />}
      />
    </div>
  );
}

function factorWords({ passkeys, hasApp }: StaffMember): string {
  const kinds = [
    passkeys > 0 ? `${passkeys}\u00a0passkey${passkeys === 1 ? '' : 's'}` : '',
    hasApp ? (passkeys > 0 ? 'app' : 'App') : '',
  ].filter(Boolean);
  return kinds.join(', ') || 'None';
}
