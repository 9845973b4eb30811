import * as z from 'zod';
import { franchiseId, workOrderNumber, zipCode } from '../fields.ts';

/** The three numbers that find one invoice or one location; all three are printed on the invoice. */
export const threeNumbersSchema = z.strictObject({
  franchiseId: franchiseId(),
  workOrderNumber: workOrderNumber(),
  zipCode: zipCode(),
});

export const paymentSchema = z.object({
  paymentDetailId: z.string(),
  /** When it was made, as the clocks where the franchise is showed it, with their offset. */
  paymentDate: z.string(),
  /** Less than nothing where money went back, as its parts are then. */
  amount: z.number(),
  /** Of the amount: the additional services, without the sales tax on them. */
  additionalServiceAmount: z.number(),
  /** Of the amount. */
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
  /** The whole amount of the invoice, tax included, after what was credited. */
  amount: z.number(),
  /** What of the sales tax is still to pay, never more than the balance due. */
  salesTaxAmount: z.number(),
  /** A fraction: 0.0825 for 8.25 %. */
  salesTaxRate: z.number(),
  /** The end of that calendar day where the franchise is, with its offset. */
  dueDate: z.string().nullable(),
  /** Noon of that calendar day where the franchise is, with its offset. */
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
  /** What is left of each, as of each tip, where some went back. */
  additionalServices: z.array(amountSchema),
  tips: z.array(amountSchema),
  workOrders: z.array(z.object({ locationId: z.int() })),
  /** Changes whenever what there is to pay changes; sent back with a payment so that nobody pays an unseen amount. */
  version: z.int(),
});

export const invoicesSchema = z.array(invoiceSchema);

export type ThreeNumbers = z.infer<typeof threeNumbersSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
