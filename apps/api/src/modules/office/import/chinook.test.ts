import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { importCsv } from '../../../../test/office/office.ts';

const FILE = fileURLToPath(new URL('../../../../../../../shared/data/chinook-invoices.csv', import.meta.url));

const portal = useTestApp();

describe.skipIf(!existsSync(FILE))('invoices that nobody here wrote', () => {
  test('are imported unchanged, and every one with a zip code is found', async () => {
    const file = readFileSync(FILE);
    expect((await importCsv(portal, file)).json()).toEqual({ created: 412, updated: 0, unchanged: 0 });
    expect((await importCsv(portal, file)).json()).toEqual({ created: 0, updated: 0, unchanged: 412 });

    const rows = parse<Record<string, string>>(file, { columns: true, bom: true });
    const withZip = rows.filter(({ zipCode }) => zipCode !== '');
    expect(withZip.length).toBe(384);
    for (const { franchiseId, workOrderNumber, zipCode, amount, city = '', addressLine1 } of withZip) {
      const answer = await call(portal, 'POST', '/user/invoice/search', {
        body: { franchiseId, workOrderNumber, zipCode },
      });
      expect(answer.statusCode, `work order ${workOrderNumber}`).toBe(200);
      expect(answer.json()).toMatchObject({ balanceDue: Number(amount), city: city.trim(), addressLine1 });
    }
  });
});
