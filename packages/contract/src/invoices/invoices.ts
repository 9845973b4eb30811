import * as z from 'zod';
import { franchiseId, workOrderNumber, zipCode } from '../fields.ts';

/** The three numbers that find an invoice or a location; all three are printed on the invoice. */
export const threeNumbersSchema = z.strictObject({
  franchiseId: franchiseId(),
  workOrderNumber: workOrderNumber(),
  zipCode: zipCode(),
});

export const paymentSchema = z.object({
  paymentDetailId: z.string(),
  /** In the franchise's local time, with its offset. */
  paymentDate: z.string(),
  /** Negative for a refund, and so are its parts. */
  amount: z.number(),
  /** The additional services within the amount, without their sales tax. */
  additionalServiceAmount: z.number(),
  /** The tip within the amount. */
  tipAmount: z.number(),
  type: z.object({ description: z.string() }),
});

const amountSchema = z.object({ amount: z.number() });

export const invoiceSchema = z.object({
  documentId: z.string(),
  franchiseId: z.int(),
  franchiseName: z.string(),
  franchisePhone: z.string().nullable(),
  workOrderNumber: z.int(),
  balanceDue: z.number(),
  /** The whole invoice, tax included, less what was credited. */
  amount: z.number(),
  /** The unpaid sales tax, never more than the balance due. */
  salesTaxAmount: z.number(),
  /** A fraction: 0.0825 for 8.25 %. */
  salesTaxRate: z.number(),
  /** The end of that calendar day in the franchise's time zone, with its offset. */
  dueDate: z.string().nullable(),
  /** Noon of that calendar day in the franchise's time zone, with its offset. */
  completedDate: z.string().nullable(),
  tipsEnabled: z.boolean(),
  pdfLink: z.string(),
  pngLink: z.string(),
  /** The card provider's client key for this franchise's payments. */
  publicKey: z.string().nullable(),
  addressLine1: z.string(),
  city: z.string(),
  state: z.string(),
  /** What was done, line by line. */
  services: z.array(z.string()),
  payments: z.array(paymentSchema),
  /** Services and tips, each less what was refunded of it. */
  additionalServices: z.array(amountSchema),
  tips: z.array(amountSchema),
  workOrders: z.array(z.object({ locationId: z.int() })),
  /** The location has another customer by now: the invoice is in nobody's list, and its location can't be added by it. */
  isOfFormerCustomer: z.boolean(),
  /** Changes with the amount to pay. A payment sends it back, so that nobody pays an amount they didn't see. */
  version: z.int(),
});

export const invoicesSchema = z.array(invoiceSchema);

export type ThreeNumbers = z.infer<typeof threeNumbersSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
