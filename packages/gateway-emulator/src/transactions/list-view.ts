import type { Plan } from '../call.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 500;

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d+$/.test(text) ? Number(text) : fallback;
}

/**
 * The provider's list: `limit` and `offset` as numbers, `total` as a text. `filters` and `fuzzy` are taken, but what they
 * do is in no source: they are ignored, as every other query parameter is.
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
