import * as z from 'zod';
import { franchiseId, workOrderNumber } from '../fields.ts';
import { fieldChangeSchema } from './imports.ts';
import { checkBounds, cursor, day, franchiseFilter, listAnswer, search } from './lists.ts';
import { officeNoteSchema, paymentRowSchema } from './payments.ts';
import { refundSchema } from './refunds.ts';

/** An invoice's status: the payer's words, and two that only the office sees. */
export const INVOICE_STATUSES = [
  'pending',
  'due',
  'overdue',
  'paid',
  'upcoming',
  'overpaid',
  'nothing-due',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

export const INVOICE_FILTERS = ['open', 'overdue', 'paid', 'overpaid'] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

const filters = {
  search: search().optional(),
  franchiseId: franchiseFilter().optional(),
  status: z.enum(INVOICE_FILTERS, { error: 'Please choose a status from the list.' }).optional(),
  /** Filters the completed day, or the due day if `status` is open or overdue. */
  from: day().optional(),
  to: day().optional(),
};

export const invoiceFiltersSchema = z.strictObject(filters).superRefine(checkBounds);
export const invoiceListQuerySchema = z
  .strictObject({ ...filters, cursor: cursor().optional() })
  .superRefine(checkBounds);

const money = z.number();

export const officeInvoiceRowSchema = z.object({
  franchiseId: z.int(),
  workOrderNumber: z.int(),
  timeZone: z.string(),
  customer: z.object({ customerNumber: z.int(), name: z.string() }),
  address: z.string(),
  service: z.string(),
  completedDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  amount: money,
  tax: money,
  /** Paid by card, less tips and services. */
  paid: money,
  /** Received by the office itself. */
  paidElsewhere: money,
  balance: money,
  overpaid: money,
  status: z.enum(INVOICE_STATUSES),
  tipsEnabled: z.boolean(),
  /**
   * What refunds took off the amount: with it, the amount is what the office's file says. An instance from before an
   * update doesn't send it.
   */
  credited: money.optional(),
});

export const officeInvoiceListSchema = listAnswer(officeInvoiceRowSchema);

export const invoiceParamsSchema = z.object({
  franchiseId: franchiseId(),
  workOrderNumber: workOrderNumber(),
});

export const officeInvoiceSchema = officeInvoiceRowSchema.extend({
  franchiseName: z.string(),
  /** A fraction: 0.0825 for 8.25 %. */
  taxRate: z.number(),
  version: z.int(),
  /** Links on the host that answers. */
  pdfLink: z.string(),
  pngLink: z.string(),
  /** Opens the invoice in the payer's portal: an SVG path of dark squares, `size` by `size`. */
  qr: z.object({ url: z.string(), size: z.int(), path: z.string() }),
  location: z.object({
    locationNumber: z.int(),
    description: z.string(),
    addressLine1: z.string(),
    city: z.string(),
    state: z.string(),
    zipCode: z.string(),
  }),
  /** The newest, and before them the accepted ones. */
  payments: z.array(paymentRowSchema),
  /** Others, of which nothing can be refunded, may be left out. */
  hasMorePayments: z.boolean(),
  refunds: z.array(refundSchema),
  history: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(['import', 'payment', 'refund', 'refund-undone']),
      by: z.string(),
      importId: z.string().nullable(),
      changes: z.array(fieldChangeSchema),
    }),
  ),
  notes: z.array(officeNoteSchema),
});

export type InvoiceFilters = z.output<typeof invoiceFiltersSchema>;
export type OfficeInvoiceRow = z.infer<typeof officeInvoiceRowSchema>;
export type OfficeInvoiceList = z.infer<typeof officeInvoiceListSchema>;
export type OfficeInvoice = z.infer<typeof officeInvoiceSchema>;
