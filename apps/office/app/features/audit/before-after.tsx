import type { AuditItem } from '@brightpane/contract/office/audit';
import { actWords } from '@brightpane/contract/office/words/audit-words';
import { BeforeAfterTable } from '../../ui/facts/before-after-table.tsx';
import { factWords, fieldWords, subjectWords, valueWords } from './audit-words.ts';

/** What an act changed, side by side, and what else is known of it; collapsed at first. */
export function BeforeAfter({ entry }: { entry: AuditItem }) {
  const { action, subject, before, after, detail, requestId } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details className="before-after">
      <summary>
        {names.length > 0 ? 'Before and after' : 'Details'}
        <span className="visually-hidden"> of {`${actWords(action)}, ${subjectWords(subject)}`}</span>
      </summary>
      {names.length > 0 && (
        <BeforeAfterTable
          rows={names.map((field) => ({
            field: fieldWords(field),
            before: valueWords(field, before?.[field]),
            after: valueWords(field, after?.[field]),
          }))}
        />
      )}
      {Object.entries(detail ?? {}).map(([fact, value]) => (
        <p key={fact}>{factWords(fact, value)}</p>
      ))}
      {requestId && <p className="quiet">Request {requestId}</p>}
    </details>
  );
}
