import { sql } from 'drizzle-orm';
import type { Queryable } from '../../src/db/client.ts';
import { customer, franchise, invoice, location } from '../../src/db/schema/franchises.ts';
import { zipKey } from '../../src/modules/invoices/zip-key.ts';
import { bookPaidElsewhere } from '../../src/modules/office/import/paid-elsewhere.queries.ts';

/** Above every franchise and work order that a test writes down. */
let sequence = 20_000;

/** A number that no other row of this test file has. */
export function nextNumber(): number {
  return ++sequence;
}

type Made = {
  franchiseId: number;
  customerId: number;
  locationId: number;
  invoiceId: number;
  workOrderNumber: number;
  zipCode: string;
};

/** Makes an invoice, and its franchise, customer and location unless they are given. */
export async function makeInvoice(
  db: Queryable,
  given: Partial<typeof invoice.$inferInsert> & {
    zipCode?: string;
    timeZone?: string;
    customerId?: number;
  } = {},
): Promise<Made> {
  const franchiseId = given.franchiseId ?? nextNumber();
  const zipCode = given.zipCode ?? '62704';
  await db
    .insert(franchise)
    .values({
      id: franchiseId,
      name: `Franchise ${franchiseId}`,
      timeZone: given.timeZone ?? 'America/Chicago',
    })
    .onConflictDoNothing();
  const customerId = given.customerId ?? (await makeCustomer(db, franchiseId));
  const locationId =
    given.locationId ??
    first(
      await db
        .insert(location)
        .values({
          franchiseId,
          number: nextNumber(),
          customerId,
          description: 'Home',
          addressLine1: 'Maple Street 12',
          city: 'Springfield',
          state: 'IL',
          zipCode,
          zipKey: zipKey(zipCode),
        })
        .returning({ id: location.id }),
    ).id;
  const made = first(
    await db
      .insert(invoice)
      .values({
        service: 'Windows, inside and out',
        amountCents: 108_25,
        taxCents: 8_25,
        taxRatePpm: 82_500,
        dueDate: '2026-11-30',
        completedDate: '2026-11-03',
        tipsEnabled: true,
        ...given,
        franchiseId,
        locationId,
        workOrderNumber: given.workOrderNumber ?? nextNumber(),
      })
      .returning({ id: invoice.id, workOrderNumber: invoice.workOrderNumber }),
  );
  if (given.paidElsewhereCents) {
    const received = sql`(SELECT id, version, paid_elsewhere_cents AS received_cents FROM invoice
                           WHERE id = ${made.id})`;
    await db.execute(bookPaidElsewhere(received));
  }
  return {
    franchiseId,
    customerId,
    locationId,
    invoiceId: made.id,
    workOrderNumber: made.workOrderNumber,
    zipCode,
  };
}

/** Has the office receive that much more, as after an import. */
export async function receiveElsewhere(
  db: Queryable,
  { invoiceId, receivedCents }: { invoiceId: number; receivedCents: number },
): Promise<void> {
  await db.execute(sql`
    WITH changed AS (
      UPDATE invoice SET paid_elsewhere_cents = paid_elsewhere_cents + ${receivedCents}::bigint
       WHERE id = ${invoiceId} RETURNING id, version, ${receivedCents}::bigint AS received_cents)
    ${bookPaidElsewhere(sql`changed`)}`);
}

async function makeCustomer(db: Queryable, franchiseId: number): Promise<number> {
  const number = nextNumber();
  const rows = await db
    .insert(customer)
    .values({ franchiseId, number, name: `Customer ${number}` })
    .returning({ id: customer.id });
  return first(rows).id;
}

function first<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('nothing was inserted');
  return row;
}
