import * as z from 'zod';
import { email, franchiseId, positiveInteger } from '../fields.ts';
import { officeInvoiceRowSchema } from './invoices.ts';
import { cursor, day, franchiseFilter, listAnswer, search } from './lists.ts';
import { officeNoteSchema, paymentRowSchema } from './payments.ts';

export const CUSTOMER_ACCOUNTS = ['none', 'invited', 'active'] as const;
export type CustomerAccount = (typeof CUSTOMER_ACCOUNTS)[number];

const filters = {
  search: search().optional(),
  franchiseId: franchiseFilter().optional(),
  account: z.enum(CUSTOMER_ACCOUNTS, { error: 'Please choose an account from the list.' }).optional(),
};

export const customerFiltersSchema = z.strictObject(filters);
export const customerListQuerySchema = z.strictObject({ ...filters, cursor: cursor().optional() });

const money = z.number();

export const customerRowSchema = z.object({
  franchiseId: z.int(),
  customerNumber: z.int(),
  name: z.string(),
  email: z.string().nullable(),
  locations: z.int(),
  open: money,
  overdue: money,
  account: z.enum(CUSTOMER_ACCOUNTS),
});

export const customerListSchema = listAnswer(customerRowSchema);

const customerNumber = () => positiveInteger('Invalid customer number', 999_999_999_999_999);
const uuid = (what: string) => z.uuid(`Name ${what} by its id.`);

export const customerParamsSchema = z.object({
  franchiseId: franchiseId(),
  customerNumber: customerNumber(),
});
export const invitationParamsSchema = customerParamsSchema.extend({ invitationId: uuid('an invitation') });
export const personParamsSchema = customerParamsSchema.extend({ userId: uuid('a person') });

export const INVITATION_STATES = ['pending', 'accepted', 'expired', 'withdrawn'] as const;

export const officeCustomerSchema = customerRowSchema.omit({ locations: true }).extend({
  franchiseName: z.string(),
  timeZone: z.string(),
  /** Of all locations. */
  locationCount: z.int(),
  /** At most five hundred. */
  locations: z.array(
    z.object({
      locationNumber: z.int(),
      description: z.string(),
      address: z.string(),
      city: z.string(),
      state: z.string(),
      zipCode: z.string(),
      open: money,
    }),
  ),
  /** Open invoices first; at most twenty. */
  invoices: z.array(officeInvoiceRowSchema),
  /** At most twenty. */
  payments: z.array(paymentRowSchema),
  people: z.array(
    z.object({
      userId: z.string(),
      name: z.string(),
      email: z.string(),
      linkedBy: z.enum(['invitation', 'numbers']),
      since: z.string(),
      isConfirmed: z.boolean(),
      isActive: z.boolean(),
      lastSignInAt: z.string().nullable(),
    }),
  ),
  invitations: z.array(
    z.object({
      invitationId: z.string(),
      email: z.string(),
      sentAt: z.string(),
      expiresAt: z.string(),
      state: z.enum(INVITATION_STATES),
    }),
  ),
  notes: z.array(officeNoteSchema),
});

export const invitationSchema = z.strictObject({ email: email() });

export const personMailSchema = z.strictObject({
  kind: z.enum(['reset', 'confirm'], { error: 'Say reset or confirm.' }),
});

export const statementQuerySchema = z
  .strictObject({ from: day(), to: day() })
  .refine(({ from, to }) => from <= to, { message: 'From must not be after To.', path: ['from'] });

export const statementSchema = z.object({
  franchiseId: z.int(),
  franchiseName: z.string(),
  timeZone: z.string(),
  customerNumber: z.int(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  opening: money,
  closing: money,
  /** The number of all lines, shown or not. */
  count: z.int(),
  /** Empty if there are more than a page holds; the file has them all. */
  rows: z.array(
    z.object({
      day: z.string(),
      kind: z.enum(['invoice', 'payment', 'office-payment', 'not-collected', 'refund', 'refund-undone']),
      workOrderNumber: z.int(),
      text: z.string(),
      /** What it adds to the customer's debt; negative lowers it. */
      amount: money,
      /** What is owed after it. */
      balance: money,
    }),
  ),
});

export type CustomerFilters = z.output<typeof customerFiltersSchema>;
export type CustomerRow = z.infer<typeof customerRowSchema>;
export type CustomerList = z.infer<typeof customerListSchema>;
export type OfficeCustomer = z.infer<typeof officeCustomerSchema>;
export type CustomerStatement = z.infer<typeof statementSchema>;
export type StatementRow = CustomerStatement['rows'][number];
