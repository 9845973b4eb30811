import { type Cents, cents } from '@brightpane/money/cents';
import * as z from 'zod';
import { holdsCardNumber } from '../card-number.ts';
import { atMost, positiveInteger } from '../fields.ts';
import { typedDollars } from '../wire.ts';

const DATE = 'Please enter a date such as 2026-11-30.';
const DOLLARS = 'Please enter dollars such as 120.00.';
const MOST_DAYS = 5 * 366;
const DAY_MILLISECONDS = 86_400_000;

/** A calendar day in a list's filter. */
export const day = () =>
  z.string({ error: DATE }).refine((value) => /^2\d{3}-\d{2}-\d{2}$/.test(value) && isDay(value), DATE);

const isDay = (value: string) => {
  const made = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(value);
};

/** Dollars in a list's filter, as typed: `120`, `$1,200.00`. */
export const dollarAmount = () =>
  z.string({ error: DOLLARS }).transform((value, context): Cents => {
    const amount = typedDollars(value);
    if (amount !== null && amount >= 0) return amount;
    context.addIssue({ code: 'custom', message: DOLLARS });
    return cents(0);
  });

const isPlain = (value: string) => !/\p{Cc}/u.test(value) && value.isWellFormed();

const CHECK_FILTER = 'Please check this filter.';

/** A word, or part of one, to filter by. */
export const part = (most: number) =>
  z
    .string(CHECK_FILTER)
    .trim()
    .max(...atMost(most, `Use at most ${most} characters.`))
    .refine(isPlain, CHECK_FILTER);

/** The text of the search field; the server decides how to read it. */
export const search = () =>
  z
    .string({ error: 'Please check your search.' })
    .max(...atMost(10_000, 'Use at most 100 characters.'))
    .refine(isPlain, 'Please check your search.')
    .refine((value) => !holdsCardNumber(value), {
      message: 'Please take the card number out of your search.',
      params: { code: 'CardDataNotAllowed' },
    });

/** Where a page begins; the previous page returned it. */
export const cursor = () =>
  z.string({ error: 'Please load the list again.' }).max(500, 'Please load the list again.');

export const franchiseFilter = () => positiveInteger('Please choose a franchise.', 2_147_483_647);

type Bounds = {
  from?: string | undefined;
  to?: string | undefined;
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
};

/** For `superRefine`, so that each message stands under its field. */
export function checkBounds(
  { from, to, minAmount, maxAmount }: Bounds,
  context: z.core.$RefinementCtx,
): void {
  const refuse = (field: string, message: string) =>
    context.issues.push({ code: 'custom', message, path: [field], input: undefined });
  if (from !== undefined && to !== undefined) {
    if (from > to) refuse('from', 'From must not be after To.');
    else if ((Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS > MOST_DAYS) {
      refuse('from', 'Please choose five years or less.');
    }
  }
  if (minAmount !== undefined && maxAmount !== undefined && minAmount > maxAmount) {
    refuse('minAmount', 'At least must not be above At most.');
  }
}

/** One token of the search as the server read it; `without` is the search with that token removed. */
export const readAsSchema = z.object({ kind: z.string(), text: z.string(), without: z.string() });

/** The answer of every list, around its rows. */
export const listAnswer = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** The cursor of the next page. */
    next: z.string().nullable(),
    /** The page ended early after looking at enough rows; the next one searches on from this day. Null: no day tells. */
    searchedTo: z.string().nullable().optional(),
    readAs: z.array(readAsSchema).optional(),
    /** More customers match than are shown. */
    hasManyCustomers: z.boolean().optional(),
  });

export type ReadAs = z.infer<typeof readAsSchema>;
