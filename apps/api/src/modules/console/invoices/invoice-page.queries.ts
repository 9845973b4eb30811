import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import { actorName } from '../../acts/actor-names.queries.ts';
import type { RowOfBooks } from '../../office/import/check/present-row.ts';
import { type InvoiceLine, invoiceLineColumns, placesOfInvoice, seenBy } from './invoice-row.queries.ts';

export type InvoiceNumbers = { franchiseId: number; workOrderNumber: number };

export type InvoicePageRow = InvoiceLine & {
  documentId: string;
  franchiseName: string;
  taxRatePpm: number;
  version: number;
  locationNumber: number;
  description: string;
  zipCode: string;
  zipKey: string | null;
};

export async function findOfficeInvoice(
  db: Queryable,
  { actorId, franchiseId, workOrderNumber }: InvoiceNumbers & { actorId: string },
): Promise<InvoicePageRow | undefined> {
  const [row] = await query<InvoicePageRow>(db)`
    SELECT ${invoiceLineColumns}, i.document_id AS "documentId", f.name AS "franchiseName",
           i.tax_rate_ppm AS "taxRatePpm", i.version, l.number AS "locationNumber", l.description,
           l.zip_code AS "zipCode", l.zip_key AS "zipKey"
      FROM invoice i ${placesOfInvoice}
     WHERE i.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber} AND ${seenBy(actorId)}`;
  return row;
}

/** The id of an invoice that the caller sees. */
export async function findInvoiceId(
  db: Queryable,
  { actorId, franchiseId, workOrderNumber }: InvoiceNumbers & { actorId: string },
): Promise<number | undefined> {
  const [row] = await query<{ id: number }>(db)`
    SELECT i.id FROM invoice i
     WHERE i.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber} AND ${seenBy(actorId)}`;
  return row?.id;
}

export type InvoiceImport = {
  at: string;
  importId: string;
  by: string;
  startedAt: string;
  endedAt: string | null;
  before: RowOfBooks;
  after: RowOfBooks;
};

/** Imports that changed the invoice in the last ninety days, oldest first. */
export async function selectInvoiceImports(
  db: Queryable,
  { actorId, invoiceId }: { actorId: string; invoiceId: number },
): Promise<InvoiceImport[]> {
  return query<InvoiceImport>(db)`
    SELECT ${instantText(sql`ch.at`)} AS at, ch.import_id AS "importId",
           ${actorName(sql`coalesce(o.staff_id, o.api_key_id)`)} AS by, ${instantText(sql`o.started_at`)} AS "startedAt",
           ${instantText(sql`o.ended_at`)} AS "endedAt", ch.before, ch.after
      FROM office_import_change ch
      JOIN invoice i ON i.id = ch.invoice_id
      JOIN office_import o ON o.id = ch.import_id
     WHERE ch.invoice_id = ${invoiceId} AND NOT ch.is_created AND ${seenBy(actorId)}
     ORDER BY ch.at`;
}

export type InvoiceMovement = {
  at: string;
  kind: 'payment' | 'import' | 'refund' | 'refund-undone';
  /** The change to what has been paid for the invoice itself. */
  cents: number;
  isNotCollected: boolean;
  /** The refund credits it: the amount is lower by as much, so that it doesn't fall due again. */
  isCredited: boolean;
};

/** Payments, refunds and reversals of the invoice, as the ledger has them, oldest first. */
export async function selectMovements(
  db: Queryable,
  { actorId, invoiceId }: { actorId: string; invoiceId: number },
): Promise<InvoiceMovement[]> {
  return query<InvoiceMovement>(db)`
    SELECT ${instantText(sql`e.created_at`)} AS at, CASE WHEN e.charge_id IS NULL THEN 'import'
                WHEN starts_with(e.reason, 'refund-undone:') THEN 'refund-undone'
                WHEN starts_with(e.reason, 'refund:') THEN 'refund' ELSE 'payment' END AS kind,
           CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END AS cents,
           e.reason = 'reversal' AS "isNotCollected", e.account = 'credits' AS "isCredited"
      FROM ledger_entry e JOIN invoice i ON i.id = e.invoice_id
     WHERE e.invoice_id = ${invoiceId} AND e.account IN ('receivable', 'credits') AND ${seenBy(actorId)}
     ORDER BY e.created_at, e.id`;
}
