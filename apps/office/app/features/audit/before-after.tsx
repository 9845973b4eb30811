import type { AuditItem } from '@brightpane/contract/office/audit';
import { actWords } from '@brightpane/contract/office/words/audit-words';
import { BeforeAfterTable } from '../../ui/facts/before-after-table.tsx';
import { fieldWords, subjectWords, valueWords } from './audit-words.ts';

/** What an act changed, side by side; collapsed at first. */
export function BeforeAfter({ entry: { action, subject, before, after, requestId } }: { entry: AuditItem }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details className="before-after">
      <summary>
        Before and after
        <span className="visually-hidden"> of {`${actWords(action)}, ${subjectWords(subject)}`}</span>
      </summary>
      <BeforeAfterTable
        rows={names.map((field) => ({
          field: fieldWords(field),
          before: valueWords(field, before?.[field]),
          after: valueWords(field, after?.[field]),
        }))}
      />
      {requestId && <p className="quiet">Request {requestId}</p>}
    </details>
  );
}
