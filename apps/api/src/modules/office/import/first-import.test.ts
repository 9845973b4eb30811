import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testEnv } from '../../../../test/build-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database/postgres.ts';
import { callOffice, officeRow, toCsv } from '../../../../test/office/office.ts';
import { explainAll, type PlanNode, watchStatements } from '../../../../test/plans/watch-statements.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';

const ROWS = 1_200;

let database: TestDatabase;
let portal: TestApp;
let statements: ReturnType<typeof watchStatements>;

/** A portal whose tables were never analyzed, as before its first import. */
beforeAll(async () => {
  database = await createTestDatabase();
  await explainAll(database.url);
  statements = watchStatements();
  const deps = await openDeps(testEnv({ DATABASE_URL: database.url }));
  portal = { deps, app: await buildApp(deps), now: new Date() };
});

afterAll(async () => {
  statements.stop();
  await portal.app.close();
  await portal.deps.db.close();
  await database.drop();
});

/** A customer and a place for every other row. */
const file = toCsv(
  Array.from({ length: ROWS }, (_, index) => ({
    ...officeRow(),
    franchiseId: '7',
    customerNumber: String((index >> 1) + 1),
    locationId: String((index >> 1) + 1),
    workOrderNumber: String(index + 1),
  })),
);

/** The most rows that one step of these plans reads, all its loops together. */
function mostRead(nodes: PlanNode[]): number {
  const read = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return Math.max(0, ...nodes.flatMap((node) => [read(node), mostRead(node.Plans ?? [])]));
}

test.each(['/import/preview?importId=5f0c9d0a-8f43-4b8e-9a51-0d4a1c1f7f10', '/import'])(
  '%s: a first file is not compared row by row with each of its customers and places',
  async (path) => {
    statements.take();
    const headers = { 'content-type': 'text/csv' };
    const answer = await callOffice(portal, 'POST', path, { body: file, headers });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    expect(mostRead(statements.take().map(({ plan }) => plan))).toBeLessThan(10 * ROWS);
  },
);
