import * as z from 'zod';
import {
  dollars,
  email,
  franchiseId,
  optionalPhone,
  optionalText,
  requiredText,
  secretKey,
} from './fields.ts';
import { isTimeZone } from './time-zone.ts';

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

const refundLimit = () => dollars('Please enter a limit between 0.00 and 99,999.00.', { min: 0 }).optional();

/** What is left out stays as it is; `null` takes a phone number, email or address away. */
export const franchiseSettingsSchema = z.strictObject({
  name: requiredText('name', 200).optional(),
  phone: optionalPhone(),
  email: email().nullable().optional(),
  address: optionalText('address', 300),
  timeZone: requiredText('time zone', 60)
    .refine(isTimeZone, 'Please enter a time zone such as America/Chicago.')
    .optional(),
  /** How much of an invoice a payer's negative service may take off, in percent. */
  maxCreditPercent: z
    .int({ error: 'Please enter a whole percentage from 0 to 100.' })
    .min(0, 'Please enter a whole percentage from 0 to 100.')
    .max(100, 'Please enter a whole percentage from 0 to 100.')
    .optional(),
  /** What one person may give back of a payment within a day, and on a day, before another has to approve it. */
  refundLimit: refundLimit(),
  refundDayLimit: refundLimit(),
  /** The franchise's own keys at the card provider; `null` puts it back on the portal's account. */
  gateway: z
    .strictObject({
      apiKey: secretKey('API key', 200),
      pin: secretKey('PIN', 200),
      publicKey: secretKey('public key', 200),
    })
    .nullable()
    .optional(),
});

export const franchiseParamsSchema = z.object({ franchiseId: franchiseId() });

export const franchiseAnswerSchema = z.object({
  franchiseId: z.int(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  timeZone: z.string(),
  maxCreditPercent: z.int(),
  refundLimit: z.number(),
  refundDayLimit: z.number(),
  /** The keys themselves are never read back; `null`: the franchise is on the portal's account. */
  gateway: z.object({ publicKey: z.string() }).nullable(),
});

export const userParamsSchema = z.object({ email: email() });

export const userActiveSchema = z.strictObject({ active: z.boolean({ error: 'Say true or false.' }) });

export const userActiveAnswerSchema = z.object({ email: z.string(), active: z.boolean() });

/** How the portal is doing, for the people who run it. Instants are ISO timestamps. */
export const statusSchema = z.object({
  lastImportAt: z.string().nullable(),
  payments: z.object({
    /** Begun and not decided yet: seconds old, or the sweep's to give up. */
    undecided: z.int(),
    /** Charges that something is still to be done about, by their state. */
    unfinished: z.array(z.object({ state: z.string(), count: z.int(), since: z.string() })),
    /** Charges that need a person. */
    inReview: z.int(),
    /** The database may be an older state, and a list of the provider has not been compared with it: not everybody can pay. */
    isClosed: z.boolean(),
    /** The merchant accounts that take no payments because of it. */
    closedAccounts: z.int(),
    /** A restore was noticed, and is not yet compared in full. */
    isRestored: z.boolean(),
    /** What this database server does not show, so that some restores are noticed by less. */
    unreadMarks: z.array(z.string()),
    /** Payments that only the provider has, and nobody has acknowledged. */
    found: z.int(),
    /** Credits of franchises without an address, which nobody has looked at. */
    creditsUnseen: z.int(),
    /** Merchant accounts whose books the last comparison could not compare wholly, and since when. */
    incompleteComparisons: z.int(),
    incompleteSince: z.string().nullable(),
  }),
  refunds: z.object({
    /** Asked for and not ended, by their state; since the oldest was asked for. */
    underWay: z.array(z.object({ state: z.string(), count: z.int(), since: z.string() })),
    /** Held, or come to nothing with nobody having said what becomes of it. */
    needPerson: z.int(),
  }),
  /** Rows whose secrets none of the configured data keys opens, `merchant_account 7`; the first hundred. */
  unreadableSecrets: z.array(z.string()),
  mail: z.object({
    waiting: z.int(),
    waitingSince: z.string().nullable(),
    /** Due for more than a minute: the background tasks do not send it. */
    late: z.int(),
    /** Mail has waited for a quarter of an hour, and none has gone out in it: the mail server takes nothing. */
    isStuck: z.boolean(),
    givenUp: z.int(),
  }),
  background: z.object({
    /** Kinds of background work whose oldest piece has waited too long. */
    late: z.array(z.object({ lane: z.string(), seconds: z.int() })),
    /** What background work depends on and gets no answer from. */
    notAnswering: z.array(z.string()),
  }),
});

export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type FranchiseSettings = z.output<typeof franchiseSettingsSchema>;
export type FranchiseAnswer = z.infer<typeof franchiseAnswerSchema>;
export type Status = z.infer<typeof statusSchema>;
