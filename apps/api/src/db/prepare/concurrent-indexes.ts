/** An index on a table that is already large: its name, and the text after `CREATE INDEX … ON`. */
export type ConcurrentIndex = { name: string; on: string };

const OVERPAID = 'paid_cents + paid_elsewhere_cents > amount_cents + credits_left_cents';

/**
 * Built without blocking writers, which a migration can't do inside its transaction. To remove one, delete it here
 * and drop it in a migration.
 */
export const CONCURRENT_INDEXES: readonly ConcurrentIndex[] = [
  // For the console's payment filters.
  { name: 'charge_by_reference', on: 'charge (reference) WHERE reference IS NOT NULL' },
  { name: 'charge_not_collected', on: `charge (accepted_at) WHERE state IN ('reversing', 'capture_failed')` },
  { name: 'payment_by_payer_email', on: 'payment_intent (lower(payer_email) text_pattern_ops)' },
  { name: 'app_user_by_email', on: 'app_user (email text_pattern_ops)' },
  {
    name: 'ledger_entry_by_franchise',
    on: 'ledger_entry (franchise_id, created_at) INCLUDE (account, direction, amount_cents, reason, charge_id, invoice_id)',
  },
  // For an account's own payments.
  {
    name: 'payment_by_user',
    on: `payment_intent (user_id, decided_at DESC, id) WHERE state = 'accepted'`,
  },
  // For what the office received at the account's locations.
  { name: 'office_entry_by_invoice', on: 'ledger_entry (invoice_id) WHERE charge_id IS NULL' },
  // For the check of the books, which looks at what offices have just received.
  { name: 'office_entry_by_creation', on: 'ledger_entry (created_at) WHERE charge_id IS NULL' },
  // For the console's invoices and customers; those without a franchise serve callers who see all of them.
  {
    name: 'open_invoice_by_due',
    on: `invoice (franchise_id, coalesce(due_date, 'infinity'), id) INCLUDE (balance_cents) WHERE balance_cents > 0`,
  },
  {
    name: 'open_invoice_of_all_by_due',
    on: `invoice (coalesce(due_date, 'infinity'), id) WHERE balance_cents > 0`,
  },
  { name: 'invoice_of_all_by_number', on: 'invoice (work_order_number, franchise_id)' },
  {
    name: 'overpaid_in_cash_by_number',
    on: `invoice (franchise_id, work_order_number) WHERE ${OVERPAID}`,
  },
  {
    name: 'overpaid_in_cash_of_all_by_number',
    on: `invoice (work_order_number, franchise_id) WHERE ${OVERPAID}`,
  },
  {
    name: 'invoice_by_former_customer',
    on: 'invoice (former_customer_id) WHERE former_customer_id IS NOT NULL',
  },
  { name: 'invoice_by_import', on: 'invoice (import_id) WHERE import_id IS NOT NULL' },
  { name: 'customer_by_name', on: 'customer (franchise_id, name_key, id)' },
  { name: 'customer_of_all_by_name', on: 'customer (name_key, id)' },
  { name: 'customer_by_email', on: 'customer (lower(email) text_pattern_ops)' },
  { name: 'user_location_by_customer', on: 'user_location (customer_id)' },
  { name: 'invitation_by_customer', on: 'invitation (customer_id)' },
  // For the audit of who sees several offices.
  {
    name: 'audit_event_of_several',
    on: 'audit_event USING gin (franchise_ids) WHERE franchise_ids IS NOT NULL',
  },
  // For counting cards under an earlier data key, which the beginning of a sealed token names.
  { name: 'payment_method_by_data_key', on: 'payment_method (left(card_token, 11))' },
  // For finding everything of an account that closes, by its addresses.
  { name: 'mail_token_of_email', on: 'mail_token (email)' },
  { name: 'invitation_by_email', on: 'invitation (email)' },
  { name: 'invitation_by_person', on: 'invitation (accepted_by) WHERE accepted_by IS NOT NULL' },
  { name: 'outgoing_mail_by_recipient', on: 'outgoing_mail (recipient)' },
  // For removing an unconfirmed account: Postgres looks for what refers to it.
  { name: 'session_of_user', on: 'session (user_id)' },
  { name: 'payment_of_user', on: 'payment_intent (user_id) WHERE user_id IS NOT NULL' },
  { name: 'terms_acceptance_of_user', on: 'terms_acceptance (user_id) WHERE user_id IS NOT NULL' },
];
