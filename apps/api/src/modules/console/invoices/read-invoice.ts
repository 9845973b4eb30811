import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { INVOICE_PAGE_PAYMENTS } from '@brightpane/contract/office/most-shown';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { drawQrPath } from '../../../qr/qr-path.ts';
import { payUrl } from '../../documents/pages/invoice-page.ts';
import { type DocumentFormat, documentLink } from '../../invoices/document-links.ts';
import { selectNotes } from '../notes/notes.queries.ts';
import { paymentsOfInvoice } from '../payments/payments-of.ts';
import { selectRefundsOfInvoice } from '../refunds/refund-rows.queries.ts';
import { presentRefund } from '../refunds/refunds.presenter.ts';
import { presentInvoiceLine } from './console-invoices.presenter.ts';
import { invoiceHistory } from './invoice-history.ts';
import {
  findOfficeInvoice,
  type InvoiceNumbers,
  selectInvoiceImports,
  selectMovements,
} from './invoice-page.queries.ts';

/** Everything that an office sees about an invoice on one page. */
export async function readInvoice(
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  { actorId, ...numbers }: InvoiceNumbers & { actorId: string },
) {
  const db = deps.db.query;
  const row = await findOfficeInvoice(db, { ...numbers, actorId });
  if (!row) return fail('invoice-not-found');
  const [movements, imports, payments, refunds, notes] = await Promise.all([
    selectMovements(db, { actorId, invoiceId: row.id }),
    selectInvoiceImports(db, { actorId, invoiceId: row.id }),
    paymentsOfInvoice(db, { actorId, ...numbers, limit: INVOICE_PAGE_PAYMENTS }),
    selectRefundsOfInvoice(db, { actorId, invoiceId: row.id }),
    selectNotes(db, { actorId, subject: 'invoice', subjectId: String(row.id) }),
  ]);
  // Relative, as the console may be on another host than the payer's pages.
  const link = (format: DocumentFormat) =>
    documentLink(deps, { documentId: row.documentId, format }).slice(deps.env.PUBLIC_URL.length);
  const url = payUrl(row, row.zipKey === null ? null : row.zipCode.trim(), deps.env.PUBLIC_URL);
  const invoice: OfficeInvoice = {
    ...presentInvoiceLine(row),
    franchiseName: row.franchiseName,
    taxRate: row.taxRatePpm / 1_000_000,
    version: row.version,
    pdfLink: link('pdf'),
    pngLink: link('png'),
    qr: { url, ...drawQrPath(url) },
    location: {
      locationNumber: row.locationNumber,
      description: row.description,
      addressLine1: row.addressLine1,
      city: row.city,
      state: row.state,
      zipCode: row.zipCode,
    },
    ...payments,
    refunds: refunds.map(presentRefund),
    history: invoiceHistory(movements, imports),
    notes,
  };
  return ok(invoice);
}
