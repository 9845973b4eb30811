import type { AuditItem } from '@brightpane/contract/office/audit';
import { actionWords, valueWords } from './audit-words.ts';

/** What an act changed, side by side; collapsed at first. */
export function BeforeAfter({ entry: { action, subject, before, after, requestId } }: { entry: AuditItem }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details className="before-after">
      <summary>
        Before and after<span className="visually-hidden"> of {`${actionWords(action)}, ${subject}`}</span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{valueWords(before?.[name])}</td>
              <td>{valueWords(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {requestId && <p className="quiet">Request {requestId}</p>}
    </details>
  );
}
