import type { ReadAs } from '@brightpane/contract/office/lists';
import { Link, useSearchParams } from 'react-router';
import { firstPage } from '../list-place.ts';

/** How the server read the search, token by token; each can be removed. */
export function ReadAsChips({ readAs, field }: { readAs: ReadAs[]; field: string }) {
  const [search] = useSearchParams();
  if (readAs.length === 0) return null;
  return (
    <ul className="chips" aria-label="Read as">
      {readAs.map(({ kind, text, without }) => (
        <li key={`${kind} ${text}`} className="chip">
          {text}
          <Link
            className="chip-remove"
            to={{ search: withSearch(search, field, without).toString() }}
            aria-label={`Remove ${text}`}
          >
            ×
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The URL's query with a different search text, on the first page. */
export function withSearch(search: URLSearchParams, field: string, text: string): URLSearchParams {
  const changed = firstPage(search);
  if (text === '') changed.delete(field);
  else changed.set(field, text);
  return changed;
}
