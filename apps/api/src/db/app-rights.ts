const ALL = 'SELECT, INSERT, UPDATE, DELETE';
const NO_DELETE = 'SELECT, INSERT, UPDATE';
const APPEND = 'SELECT, INSERT';

/** Where only some columns may ever change. */
const append = (...changing: string[]) => `${APPEND}, UPDATE (${changing.join(', ')})`;

/**
 * What the role that the portal runs under may do with each table. It cannot change the schema, take away anything of
 * money, or alter what was asked for and what was booked: not even somebody who has the portal's own password can.
 */
export const APP_RIGHTS: Record<string, string> = {
  account_look: NO_DELETE,
  app_user: NO_DELETE,
  audit_event: APPEND,
  background_lane: 'SELECT, UPDATE',
  book_comparison: NO_DELETE,
  book_difference: append('last_seen_at', 'acknowledged_by', 'acknowledged_at', 'note'),
  books_epoch: append('epoch', 'mark'),
  charge: append(
    'state',
    'transaction_key',
    'reference',
    'masked_card',
    'card_brand',
    'accepted_at',
    'capture_sent_at',
    'captured_at',
    'first_absent_listing_at',
    'first_impossible_at',
    'review_since',
    'next_try_at',
    'lease_until',
    'fence',
    'attempts',
  ),
  charge_allocation: APPEND,
  credit_look: APPEND,
  customer: NO_DELETE,
  deployment: append('compare_since', 'comparing_until', 'restore_noticed_at'),
  // Only tests set the engine's clock.
  engine_clock: 'SELECT',
  found_payment: append('state', 'settled_at'),
  found_payment_work_order: APPEND,
  franchise: NO_DELETE,
  invitation: NO_DELETE,
  // What was paid is summed by a trigger that runs as the owner.
  invoice: append(
    'location_id',
    'service',
    'amount_cents',
    'tax_cents',
    'tax_rate_ppm',
    'due_date',
    'completed_date',
    'tips_enabled',
    'paid_elsewhere_cents',
    'former_customer_id',
  ),
  invoice_claim: append('state'),
  known_address: ALL,
  ledger_entry: APPEND,
  limit_counter: ALL,
  location: NO_DELETE,
  lost_order: APPEND,
  mail_request: ALL,
  mail_token: ALL,
  merchant_account: NO_DELETE,
  office_answer: ALL,
  office_api_key: append('last_used_at', 'revoked_at', 'revoked_by', 'held_at'),
  office_challenge: ALL,
  office_import: NO_DELETE,
  // Undone for as long as it is kept; never altered.
  office_import_change: `${APPEND}, DELETE`,
  office_import_count: APPEND,
  office_note: APPEND,
  office_session: ALL,
  outgoing_mail: NO_DELETE,
  payment_intent: append('state', 'decided_at', 'outcome', 'response_status', 'response_body'),
  payment_method: ALL,
  // Written by a trigger that runs as the owner, with the decision.
  payment_share: 'SELECT',
  provider_budget: NO_DELETE,
  restore_notice: append('acknowledged_by', 'acknowledged_at', 'note'),
  search_word: ALL,
  session: ALL,
  share_filling: 'SELECT',
  staff: NO_DELETE,
  staff_factor: NO_DELETE,
  staff_franchise: ALL,
  staff_recovery_code: ALL,
  step_up: ALL,
  terms_acceptance: APPEND,
  terms_text: APPEND,
  unmailed_credit: append('seen_at'),
  unreadable_secret: ALL,
  user_customer: NO_DELETE,
  user_location: NO_DELETE,
  word_change: ALL,
};

/** What a role that only reads does not see: whoever has these could act as somebody. */
export const HIDDEN_COLUMNS: Record<string, string[]> = {
  app_user: ['password_hash'],
  mail_token: ['token_hash'],
  merchant_account: ['api_key', 'pin'],
  office_answer: ['request_hash'],
  office_api_key: ['key_hash'],
  office_challenge: ['challenge', 'act_hash'],
  office_session: ['token_hash'],
  outgoing_mail: ['content'],
  payment_method: ['card_token'],
  staff_factor: ['totp_secret', 'credential_id', 'public_key'],
  staff_recovery_code: ['code_hash'],
  step_up: ['token_hash', 'act_hash'],
};
