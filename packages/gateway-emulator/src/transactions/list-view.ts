import type { Plan } from '../call.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 500;

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d+$/.test(text) ? Number(text) : fallback;
}

/**
 * The provider's list format: `limit` and `offset` as numbers, `total` as a string. No source says what `filters` and
 * `fuzzy` do, so they are ignored, like every other query parameter.
 */
export function listPlan<Row>(rows: Row[], query: URLSearchParams, view: (row: Row) => unknown): Plan {
  const limit = Math.min(wholeNumber(query.get('limit'), DEFAULT_LIMIT), MAX_LIMIT);
  const offset = wholeNumber(query.get('offset'), 0);
  const data = rows.slice(offset, offset + limit).map(view);
  return {
    status: 200,
    body: { type: 'list', limit, offset, data, total: String(rows.length) },
    changes: [],
  };
}
