import { AUDIT_FIELDS } from '@brightpane/contract/office/words/audit-fields';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../books/fingerprint.ts';
import { useEmulator } from '../emulator.ts';
import { usePaymentsApp } from '../factories/payments/payments.ts';
import { makeStaff, OFFICE_SETTINGS } from '../office/office-people.ts';
import { bookWrites } from './book-writes.ts';
import { staffWrites } from './staff-writes.ts';
import type { CallName, Write, Writes } from './writes.ts';

const emulator = useEmulator();
// Development, because the demo's calls are among them.
const portal = usePaymentsApp(emulator, () => ({ ...OFFICE_SETTINGS, NODE_ENV: 'development' }));

const WRITES: Writes = { ...bookWrites(portal, emulator), ...staffWrites(portal) };
/** Runs last, because a restore closes payments and signs everybody out. */
const { restored, ...OTHERS } = WRITES;
/** Decisions retry until stored, so this can't stop them; crash tests show the same about them. */
const { decide: _, decideCharge: __, decideRefund: ___, ...STOPPED } = OTHERS;

/** Calls that aren't anybody's act yet, or are recorded elsewhere. */
const NO_ACTS: Partial<Record<CallName, string>> = {
  passkeyOptions: 'a challenge, for whoever asks',
  stepUpPasskeyOptions: 'a challenge',
  newPasskeyOptions: 'a challenge',
  requestReset: 'a request of anybody, answered alike',
  checkImport: 'the history of imports has it, with who sent it',
};

beforeAll(async () => {
  // One more person, so that somebody can still sign in while others are changed.
  await makeStaff(portal);
});

const execute = async <Row extends Record<string, unknown>>(statement: string) =>
  (await portal.deps.db.query.execute<Row>(sql.raw(statement))).rows;

const countActs = async () =>
  (await execute<{ count: number }>('SELECT count(*)::integer AS count FROM audit_event'))[0]?.count ?? 0;

test('every write has its line, or a reason to have none', () => {
  const writes = Object.values(OFFICE_ENDPOINTS).filter(
    ({ method, path }) => method !== 'GET' || path.endsWith('.csv'),
  );
  expect([...Object.keys(WRITES), ...Object.keys(NO_ACTS)].toSorted()).toEqual(
    writes.map(({ name }) => name).toSorted(),
  );
});

async function expectOneRow(prepare: Write) {
  const write = await prepare();
  const before = await countActs();
  const answer = await write();
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  expect(await countActs()).toBe(before + 1);
}

describe('what an office does', () => {
  test.each(Object.entries(OTHERS))('%s leaves one row in the audit', (_name, prepare) =>
    expectOneRow(prepare),
  );
});

test('every fact before and after an act has its words', async () => {
  const facts = await execute<{ field: string }>(`
    SELECT DISTINCT jsonb_object_keys(side) AS field FROM audit_event, unnest(ARRAY[before, after]) AS side`);
  expect(facts.length).toBeGreaterThan(15);
  expect(facts.map(({ field }) => field).filter((field) => !(field in AUDIT_FIELDS))).toEqual([]);
});

/** Counters and last-seen times. */
const NOT_OF_THE_ACT = ['limit_counter', 'office_api_key'];
const KEPT_OF_A_TRY: Partial<Record<CallName, readonly string[]>> = {
  // A file that was sent stays in the history, whatever came of it.
  import: ['office_import'],
  // Its turn, its budget at the provider, and how far it has read.
  reconcile: ['book_comparison', 'provider_budget', 'refund_coverage'],
};

/** The database refuses the audit row when the act commits. */
async function expectNothing(name: CallName, prepare: Write) {
  const write = await prepare();
  const but = [...NOT_OF_THE_ACT, ...(KEPT_OF_A_TRY[name] ?? [])];
  const before = await fingerprint(portal, { but });
  await execute(`CREATE CONSTRAINT TRIGGER refuse_act AFTER INSERT ON audit_event
                 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_act()`);
  try {
    expect((await write()).statusCode).toBeGreaterThanOrEqual(500);
  } finally {
    await execute('DROP TRIGGER refuse_act ON audit_event');
  }
  expect(await fingerprint(portal, { but })).toEqual(before);
}

describe('of an act whose row cannot be written nothing is done', () => {
  beforeAll(async () => {
    await execute(`CREATE FUNCTION refuse_act() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the commit fails'; END $$`);
  });

  test.each(Object.entries(STOPPED))('%s', (name, prepare) => expectNothing(name as CallName, prepare));

  test('nor of saying that the database was restored, which leaves one row where it is', async () => {
    if (!restored) throw new Error('no such write');
    await expectNothing('restored', restored);
    await expectOneRow(restored);
  });
});
