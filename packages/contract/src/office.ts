import * as z from 'zod';
import { email, franchiseId, optionalText, requiredText } from './fields.ts';

/** The columns of the office import, in the order of its CSV header (design: the last one may be left out). */
export const INVOICE_COLUMNS = [
  'franchiseId',
  'franchiseName',
  'timeZone',
  'customerNumber',
  'customerName',
  'customerEmail',
  'locationId',
  'description',
  'addressLine1',
  'city',
  'state',
  'zipCode',
  'workOrderNumber',
  'service',
  'completedDate',
  'dueDate',
  'amount',
  'salesTaxAmount',
  'salesTaxRate',
  'tipsEnabled',
  'paidElsewhere',
] as const;

export type InvoiceColumn = (typeof INVOICE_COLUMNS)[number];

export const importAnswerSchema = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Invoices on which more has been received than they now come to. */
  overpaid: z
    .array(z.object({ franchiseId: z.int(), workOrderNumber: z.int(), amount: z.number() }))
    .optional(),
});

export const inviteCustomerSchema = z.strictObject({
  franchiseId: franchiseId(),
  customerNumber: z.union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    {
      error: 'Invalid customer number',
    },
  ),
  email: email(),
});

export const inviteCustomerAnswerSchema = z.object({ invitationId: z.string() });

export const franchiseSettingsSchema = z.strictObject({
  name: requiredText('name', 200).optional(),
  phone: optionalText('phone number', 40),
  email: email().optional(),
  address: optionalText('address', 300),
  timeZone: requiredText('time zone', 60).optional(),
  /** How much of an invoice a payer's negative service may take off, in percent. */
  maxCreditPercent: z
    .int({ error: 'Please enter a whole percentage from 0 to 100.' })
    .min(0)
    .max(100)
    .optional(),
  /** The franchise's own keys at the card provider; `null` puts it back on the portal's account. */
  gateway: z
    .strictObject({
      apiKey: requiredText('API key', 200),
      pin: requiredText('PIN', 200),
      publicKey: requiredText('public key', 200),
    })
    .nullable()
    .optional(),
});

export const userActiveSchema = z.strictObject({ active: z.boolean({ error: 'Say true or false.' }) });

export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type FranchiseSettings = z.output<typeof franchiseSettingsSchema>;
