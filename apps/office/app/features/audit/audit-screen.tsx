import type { AuditItem } from '@brightpane/contract/office/audit';
import { whoWords } from '@brightpane/contract/office/words/actor-words';
import { actWords } from '@brightpane/contract/office/words/audit-words';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { RowTime } from '../../ui/facts/row-time.tsx';
import type { ListFilter } from '../../ui/list/filters/list-filter.ts';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListScreen } from '../../ui/list/list-screen.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { subjectWords } from './audit-words.ts';
import { BeforeAfter } from './before-after.tsx';

export const AUDIT_FILTERS: ListFilter[] = [
  { kind: 'search', name: 'search', label: 'Search', help: 'A subject or an email address.' },
  { kind: 'text', name: 'who', label: 'Who' },
  { kind: 'text', name: 'what', label: 'What' },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'To' },
];

const COLUMNS: ListColumn<AuditItem>[] = [
  {
    head: 'Time',
    cell: ({ at, franchiseId, timeZone }) => <RowTime at={at} franchiseId={franchiseId} zone={timeZone} />,
  },
  { head: 'Who', isWide: true, cell: ({ who }) => <EmailText email={whoWords(who)} /> },
  { head: 'What', isName: true, cell: ({ action }) => actWords(action) },
  {
    head: 'Subject',
    isWide: true,
    cell: ({ subject, href }) =>
      href ? (
        <OfficeLink to={href.replace(/^\/office/, '')}>{subjectWords(subject)}</OfficeLink>
      ) : (
        subjectWords(subject)
      ),
  },
  { head: 'Reason', isWide: true, cell: ({ reason }) => reason },
];

/** `/office/audit`: who did what. A row opens to its values before and after, and whom it was about. */
export function AuditScreen({ load }: { load: ListLoad<AuditItem> }) {
  return (
    <ListScreen
      title="Audit"
      load={load}
      columns={COLUMNS}
      rowKey={({ id }) => String(id)}
      rowDetails={(entry) => (entry.before || entry.after || entry.detail) && <BeforeAfter entry={entry} />}
      filters={AUDIT_FILTERS}
      empty={{ text: 'Nothing was done by hand yet.' }}
      exported={{ path: OFFICE_ENDPOINTS.exportAudit.path, stepUp: 'Export the audit list' }}
    />
  );
}
