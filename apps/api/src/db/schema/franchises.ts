import { sql } from 'drizzle-orm';
import { bigint, boolean, date, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** For row ids, cents and the offices' own numbers. */
export const int8 = (name: string) => bigint(name, { mode: 'number' });
export const identity = () => int8('id').generatedAlwaysAsIdentity().primaryKey();
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const calendarDate = (name: string) => date(name, { mode: 'string' });

export const franchise = pgTable('franchise', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  phone: text('phone'),
  email: text('email'),
  address: text('address'),
  timeZone: text('time_zone').notNull(),
  maxCreditPercent: integer('max_credit_percent').notNull().default(25),
  refundLimitCents: int8('refund_limit_cents').notNull().default(200_00),
  refundDayLimitCents: int8('refund_day_limit_cents').notNull().default(1_000_00),
});

export const merchantAccount = pgTable('merchant_account', {
  id: identity(),
  franchiseId: integer('franchise_id'),
  apiKey: text('api_key').notNull(),
  pin: text('pin').notNull(),
  publicKey: text('public_key').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  replacedAt: instant('replaced_at'),
});

export const customer = pgTable('customer', {
  id: identity(),
  franchiseId: integer('franchise_id').notNull(),
  number: int8('number').notNull(),
  name: text('name').notNull(),
  email: text('email'),
  /** Set by a trigger: the name folded for comparing and sorting. */
  nameKey: text('name_key').notNull().default(''),
});

export const location = pgTable('location', {
  id: identity(),
  franchiseId: integer('franchise_id').notNull(),
  number: int8('number').notNull(),
  customerId: int8('customer_id').notNull(),
  description: text('description').notNull(),
  addressLine1: text('address_line1').notNull(),
  city: text('city').notNull(),
  state: text('state').notNull(),
  zipCode: text('zip_code').notNull(),
  zipKey: text('zip_key'),
});

export const invoice = pgTable('invoice', {
  id: identity(),
  documentId: uuid('document_id').notNull().defaultRandom(),
  franchiseId: integer('franchise_id').notNull(),
  workOrderNumber: int8('work_order_number').notNull(),
  locationId: int8('location_id').notNull(),
  service: text('service').notNull(),
  amountCents: int8('amount_cents').notNull(),
  taxCents: int8('tax_cents').notNull(),
  taxRatePpm: integer('tax_rate_ppm').notNull(),
  dueDate: calendarDate('due_date'),
  completedDate: calendarDate('completed_date'),
  tipsEnabled: boolean('tips_enabled').notNull(),
  paidElsewhereCents: int8('paid_elsewhere_cents').notNull().default(0),
  paidCents: int8('paid_cents').notNull().default(0),
  paidTaxCents: int8('paid_tax_cents').notNull().default(0),
  creditsLeftCents: int8('credits_left_cents').notNull().default(0),
  balanceCents: int8('balance_cents')
    .notNull()
    .generatedAlwaysAs(sql`greatest(0, amount_cents - paid_cents - paid_elsewhere_cents)`),
  version: integer('version').notNull().default(1),
  formerCustomerId: int8('former_customer_id'),
  importId: uuid('import_id'),
  /** Only for invoices with a credited refund; written by triggers alone. */
  officeAmountCents: int8('office_amount_cents'),
  officeTaxCents: int8('office_tax_cents'),
  creditedCents: int8('credited_cents'),
  creditedTaxCents: int8('credited_tax_cents'),
  creditBasisCents: int8('credit_basis_cents'),
  creditTaxBasisCents: int8('credit_tax_basis_cents'),
});
