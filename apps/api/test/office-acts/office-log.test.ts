import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { useEmulator } from '../emulator.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { usePaymentsApp } from '../factories/payments/payments.ts';
import { callOffice } from '../office/office.ts';
import { callConsole, makeSignedIn, OFFICE_SETTINGS, stepUpFor } from '../office/office-people.ts';
import { bookWrites } from './book-writes.ts';
import { staffWrites } from './staff-writes.ts';

const lines: string[] = [];
const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => ({ ...OFFICE_SETTINGS, NODE_ENV: 'development' }), {
  log: createLog('trace', { write: (line) => void lines.push(line) }),
});

const { restored: _, ...WRITES } = { ...bookWrites(portal, emulator), ...staffWrites(portal) };
/** Decisions about charges and refunds retry until they are stored. */
const { decide: __, decideCharge: ___, decideRefund: ____, ...STOPPED } = WRITES;
const READS = Object.values(OFFICE_ENDPOINTS).filter(({ method }) => method === 'GET');

/** What somebody types who looks for a person. */
const EMAIL = 'zoe.private@example.com';

beforeEach(() => void lines.splice(0));

/** All that the database knows about people, and what was looked for. */
async function personalWords(): Promise<string[]> {
  const { rows } = await portal.deps.db.query.execute<{ word: string }>(sql`
    SELECT DISTINCT lower(word) AS word FROM (
      SELECT unnest(ARRAY[email, first_name, last_name]) AS word FROM app_user
      UNION ALL SELECT unnest(ARRAY[name, email]) FROM customer
      UNION ALL SELECT unnest(ARRAY[address_line1, city]) FROM location
      UNION ALL SELECT payer_email FROM payment_intent
      UNION ALL SELECT email FROM invitation
      UNION ALL SELECT recipient FROM outgoing_mail
      UNION ALL SELECT text FROM office_note) AS known
     WHERE length(word) > 4`);
  return [...rows.map(({ word }) => word), EMAIL];
}

/** Lines that hold something personal, as it is or as a URL holds it. */
async function personalLines(): Promise<string[]> {
  const words = (await personalWords()).flatMap((word) => [word, encodeURIComponent(word).toLowerCase()]);
  return lines.filter((line) => words.some((word) => line.toLowerCase().includes(word)));
}

/** Paths of everything that is read, about one payment; what was looked for stands where no number of it fits. */
async function pathsRead(): Promise<{ path: string; needsStepUp: boolean }[]> {
  const { paymentId, chargeId, invoices } = await makePayment(portal.deps);
  const known: Record<string, string | number | undefined> = { paymentId, chargeId, ...invoices[0] };
  const filled = (_part: string, name: string) => String(known[name] ?? encodeURIComponent(EMAIL));
  return READS.map(({ path, stepUp }) => ({
    path: path.replace(/^\/office/, '').replaceAll(/:(\w+)/g, filled),
    needsStepUp: stepUp === true,
  }));
}

test('no line names anybody, whatever staff and programs do', async () => {
  for (const prepare of Object.values(WRITES)) await (await prepare())();
  expect(lines.length).toBeGreaterThan(2 * Object.keys(WRITES).length);
  expect(await personalLines()).toEqual([]);
});

test('no line has what was looked for, whether the look-up is answered or refused', async () => {
  const { cookie } = await makeSignedIn(portal);
  const words = encodeURIComponent(EMAIL);
  const queries = ['search', 'who', 'by', 'from', 'unknown'].map((name) => `${name}=${words}`);
  for (const { path } of await pathsRead()) {
    for (const asked of [...queries.map((query) => `${path}?${query}`), `${path}/${words}%E0%A4%A`]) {
      await callConsole(portal, 'GET', asked, { cookie });
      await callOffice(portal, 'GET', asked);
    }
  }
  expect(lines.length).toBeGreaterThan(2 * queries.length * READS.length);
  expect(await personalLines()).toEqual([]);
});

test('no line names anybody where the database refuses what staff do, and quotes it', async () => {
  const query = (statement: string) => portal.deps.db.pool.query(statement);
  await query(`
    CREATE FUNCTION quote_act() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no act of %', NEW.actor
      USING DETAIL = (SELECT string_agg(email, ' ') FROM app_user), HINT = NEW.subject; END $$`);
  for (const prepare of Object.values(STOPPED)) {
    const write = await prepare();
    await query(
      'CREATE TRIGGER quote_act BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION quote_act()',
    );
    await write();
    await query('DROP TRIGGER quote_act ON audit_event');
  }
  const failed = lines.filter((line) => line.includes('unexpected error'));
  expect(failed.length).toBeGreaterThan(Object.keys(STOPPED).length / 2);
  expect(await personalLines()).toEqual([]);
});

test('no line has what was looked for where the database fails under it', async () => {
  const who = await makeSignedIn(portal);
  const asked = [];
  for (const { path, needsStepUp } of await pathsRead()) {
    const asks = `${path}?search=${encodeURIComponent(EMAIL)}`;
    const headers = needsStepUp ? await stepUpFor(portal, who, { method: 'GET', path: asks }) : {};
    asked.push({ asks, headers });
  }
  await portal.deps.db.pool.query('ALTER VIEW visible_franchise RENAME TO visible_franchise_away');
  for (const { asks, headers } of asked)
    await callConsole(portal, 'GET', asks, { cookie: who.cookie, headers });
  await portal.deps.db.pool.query('ALTER VIEW visible_franchise_away RENAME TO visible_franchise');
  expect(lines.filter((line) => line.includes('unexpected error')).length).toBeGreaterThan(5);
  expect(await personalLines()).toEqual([]);
});
