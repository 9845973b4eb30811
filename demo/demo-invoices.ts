import { readFile } from 'node:fs/promises';

const FILE = new URL('./invoices.csv', import.meta.url);

/** The day for which the dates in `invoices.csv` are written. */
const STORY_DAY = '2026-06-15';

const DAY_MS = 24 * 60 * 60 * 1000;
const midnight = (date: string) => Date.parse(`${date}T00:00:00Z`);

/**
 * The demo's invoices as CSV, with every date moved so that the story happens today (`YYYY-MM-DD`): what is due,
 * overdue or upcoming stays so whenever it is loaded.
 */
export async function demoInvoices({ today }: { today: string }): Promise<string> {
  const file = await readFile(FILE, 'utf8');
  const shift = midnight(today) - midnight(STORY_DAY);
  if (!Number.isInteger(shift / DAY_MS)) throw new Error(`not a day: ${today}`);
  return file.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) =>
    new Date(midnight(date) + shift).toISOString().slice(0, 10),
  );
}
