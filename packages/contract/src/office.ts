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

/** The columns of the office import, in the order of its CSV header. The last one is optional. */
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
  /** Invoices on which more was received than they now come to. */
  overpaid: z
    .array(z.object({ franchiseId: z.int(), workOrderNumber: z.int(), amount: z.number() }))
    .optional(),
});

const INVALID_CUSTOMER = 'Invalid customer number';

export const inviteCustomerSchema = z.strictObject({
  franchiseId: franchiseId(),
  customerNumber: z.union(
    [
      z.int(INVALID_CUSTOMER),
      z
        .string()
        .regex(/^\d{1,15}$/, INVALID_CUSTOMER)
        .transform(Number),
    ],
    {
      error: INVALID_CUSTOMER,
    },
  ),
  email: email(),
});

export const inviteCustomerAnswerSchema = z.object({ invitationId: z.string() });

const refundLimit = () => dollars('Please enter a limit between 0.00 and 99,999.00.', { min: 0 }).optional();

/** Missing fields stay unchanged; `null` removes a phone number, email or address. */
export const franchiseSettingsSchema = z.strictObject({
  name: requiredText('name', 200).optional(),
  phone: optionalPhone(),
  email: email().nullable().optional(),
  address: optionalText('address', 300),
  timeZone: requiredText('time zone', 60)
    .refine(isTimeZone, 'Please enter a time zone such as America/Chicago.')
    .optional(),
  /** The most that a payer's negative services may take off an invoice, in percent. */
  maxCreditPercent: z
    .int({ error: 'Please enter a whole percentage from 0 to 100.' })
    .min(0, 'Please enter a whole percentage from 0 to 100.')
    .max(100, 'Please enter a whole percentage from 0 to 100.')
    .optional(),
  /** What one person may refund of a payment within a day, and in total on a day, without a second person's approval. */
  refundLimit: refundLimit(),
  refundDayLimit: refundLimit(),
  /** The franchise's own keys at the card provider; `null` moves it back to the portal's account. */
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
  /** Keys are never read back. `null`: the franchise uses the portal's account. */
  gateway: z.object({ publicKey: z.string() }).nullable(),
});

export const userParamsSchema = z.object({ email: email() });

export const userActiveSchema = z.strictObject({ active: z.boolean({ error: 'Say true or false.' }) });

export const userActiveAnswerSchema = z.object({ email: z.string(), active: z.boolean() });

/** How the portal is doing, for its operators. Instants are ISO timestamps. */
export const statusSchema = z.object({
  lastImportAt: z.string().nullable(),
  payments: z.object({
    /** Begun and undecided: seconds old, or waiting for the sweep to abandon it. */
    undecided: z.int(),
    /** Charges that are not finished, by state. */
    unfinished: z.array(z.object({ state: z.string(), count: z.int(), since: z.string() })),
    inReview: z.int(),
    /** The database may be an older state that wasn't compared with the provider's list yet: some payers can't pay. */
    isClosed: z.boolean(),
    /** Merchant accounts that take no payments because of it. */
    closedAccounts: z.int(),
    /** A restore was noticed, and its comparison isn't complete. */
    isRestored: z.boolean(),
    /** Marks that this database server doesn't expose, so that some restores are harder to notice. */
    unreadMarks: z.array(z.string()),
    /** Payments that only the provider has and nobody has acknowledged. */
    found: z.int(),
    /** Credits at franchises without an email address that nobody has looked at. */
    creditsUnseen: z.int(),
    /** Merchant accounts whose books were not compared in full when they were due, and since when. */
    incompleteComparisons: z.int(),
    incompleteSince: z.string().nullable(),
    /** What comparisons found apart and nobody has acknowledged. */
    differences: z.int(),
  }),
  /** Staff, and keys of offices, that can't get in after a restore until somebody confirms them. */
  access: z.object({ heldPeople: z.int(), heldKeys: z.int() }),
  refunds: z.object({
    /** Requested and unfinished refunds by state, with the time of the oldest request. */
    underWay: z.array(z.object({ state: z.string(), count: z.int(), since: z.string() })),
    /** Held, or failed with nobody having decided what comes next. */
    needPerson: z.int(),
  }),
  /** Rules of the books that a check found broken, and what breaks them; the oldest hundred. */
  brokenRules: z.array(z.string()),
  /** Rows whose secrets no configured data key can decrypt (`merchant_account 7`); the first hundred. */
  unreadableSecrets: z.array(z.string()),
  /** Secrets that still need an earlier data key of those configured. */
  secretsUnderEarlierKey: z.int(),
  mail: z.object({
    waiting: z.int(),
    waitingSince: z.string().nullable(),
    /** Due for more than a minute: the background tasks aren't sending it. */
    late: z.int(),
    /** Mail has waited for a quarter of an hour and none went out meanwhile: the mail server takes nothing. */
    isStuck: z.boolean(),
    givenUp: z.int(),
  }),
  background: z.object({
    /** Background lanes whose oldest task has waited too long. */
    late: z.array(z.object({ lane: z.string(), seconds: z.int() })),
    /** Dependencies of background work that don't answer. */
    notAnswering: z.array(z.string()),
  }),
});

export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type FranchiseSettings = z.output<typeof franchiseSettingsSchema>;
export type FranchiseAnswer = z.infer<typeof franchiseAnswerSchema>;
export type Status = z.infer<typeof statusSchema>;
