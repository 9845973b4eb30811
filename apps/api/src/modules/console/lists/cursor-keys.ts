import * as z from 'zod';

// What the keys of a cursor may be. Whoever writes one by hand finds that Postgres takes all that these let through.

/** As Postgres writes an instant: it knows no year 0, no zone half a world away, and no fraction of fifty digits. */
export const instantKey = () =>
  z.iso
    .datetime({ offset: true })
    .max(40)
    .regex(/^(?!0000).*(?:Z|[+-](?:0\d|1[0-4]):\d\d)$/);

/** A day, or `infinity` for what has none. */
export const dayKey = () => z.union([z.literal('infinity'), z.iso.date().regex(/^(?!0000)/)]);

export const franchiseKey = () => z.int32().positive();

/** Postgres has no text with a NUL in it. */
export const textKey = () => z.string().refine((text) => !text.includes('\0'));

// For a place before or behind all rows of one instant.
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
