import { type SQL, sql } from 'drizzle-orm';

/** The sum of a work order's parts, as a line of a payment or refund stores them. The alias is our own text. */
export const partsOf = (line: 'a' | 'l' | 'b'): SQL =>
  sql.raw(
    ['invoice', 'tax', 'services', 'services_tax', 'tip'].map((part) => `${line}.${part}_cents`).join(' + '),
  );

/** Whether a refund was made and not undone; payers see only such refunds. */
export const isMade = (refund: 'r' | 'o'): SQL =>
  sql.raw(`${refund}.state = 'made' AND ${refund}.undone_at IS NULL`);
