import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';

/**
 * A cursor holds the sort keys of a page's last row. It fits only the filters that it was made for, and is
 * validated like any other input. `filters` name the list, too.
 */
export function writeCursor(keys: readonly (string | number)[], filters: object): string {
  return Buffer.from(JSON.stringify([markOf(filters), ...keys])).toString('base64url');
}

type Fit<Keys> = { filters: object; keys: Keys };

/** The sort keys after which a page begins; null for the first page. */
export function readPlace<Keys extends z.ZodType>(
  cursor: string | undefined,
  fit: Fit<Keys>,
): Success<z.output<Keys> | null> | Failure<'cursor-unknown'> {
  if (cursor === undefined) return ok(null);
  const keys = readCursor(cursor, fit);
  return keys === null ? fail('cursor-unknown') : ok(keys);
}

/** Null if it is invalid, or belongs to another list or other filters. */
function readCursor<Keys extends z.ZodType>(
  cursor: string,
  { filters, keys }: Fit<Keys>,
): z.output<Keys> | null {
  try {
    const [mark, ...given] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const read = keys.safeParse(given);
    return mark === markOf(filters) && read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** The same for the same filters in any order. */
function markOf(filters: object): string {
  const given = Object.entries(filters)
    .filter(([name, value]) => name !== 'cursor' && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(given)).digest('base64url').slice(0, 8);
}
