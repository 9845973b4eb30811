import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database/postgres.ts';
import * as franchises from './franchises.ts';
import * as operations from './operations.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as staff from './staff.ts';
import * as terms from './terms.ts';

const tables = Object.values({
  ...franchises,
  ...operations,
  ...payments,
  ...people,
  ...staff,
  ...terms,
}).filter((value) => is(value, PgTable)) as PgTable[];

let client: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await drop();
});

test.each(tables.map((table) => [getTableName(table), table] as const))(
  'table %s has the columns of its migration',
  async (name, table) => {
    const { rows } = await client.query<{ column_name: string; nullable: boolean }>(
      `SELECT column_name, is_nullable = 'YES' AS nullable FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 ORDER BY column_name`,
      [name],
    );
    const declared = Object.values(getTableColumns(table)).map((column) => ({
      column_name: column.name,
      nullable: !column.notNull,
    }));
    expect(declared.toSorted((a, b) => (a.column_name < b.column_name ? -1 : 1))).toEqual(rows);
  },
);

/** Only hand-written statements use these, so they need no declaration. */
const UNDECLARED = [
  'account_look',
  'account_offer',
  'background_lane',
  'book_comparison',
  'book_difference',
  'books_epoch',
  'credit_look',
  'deployment',
  'dispute',
  'engine_clock',
  'found_payment',
  'found_payment_work_order',
  'known_violation',
  'ledger_entry',
  'limit_counter',
  'lost_order',
  'office_answer',
  'office_import',
  'office_import_change',
  'office_import_count',
  'office_note',
  'payment_share',
  'provider_budget',
  'refund',
  'refund_coverage',
  'refund_line',
  'refund_request',
  'restore_notice',
  'search_word',
  'seen_refund',
  'share_filling',
  'staff_franchise',
  'staff_recovery_code',
  'step_up',
  'unmailed_credit',
  'unreadable_secret',
  'word_change',
];

test('every other table of the migrations is declared', async () => {
  const { rows } = await client.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const declared = tables.map((table) => getTableName(table));
  expect(rows.map((row) => row.table_name)).toEqual([...declared, ...UNDECLARED].toSorted());
});
