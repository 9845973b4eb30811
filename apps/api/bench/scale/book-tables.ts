import { LINES } from './book-lines.ts';
import {
  type BookSize,
  bookShape,
  FIRST_FRANCHISE,
  id,
  nameOf,
  uniform,
  YEARS_IN_DAYS,
} from './book-shape.ts';

/** The card that paid line `n`. */
const LAST_FOUR = `lpad((n * 7919 % 10000)::text, 4, '0')`;

/** A table of the generated books, and the statement that fills it. */
export type BookTable = { name: string; insert: string };

/**
 * Realistic books: few large customers and many small ones; most invoices are old and paid, two thirds of them by card.
 * Each table is filled from the lines alone, and they still agree.
 */
export function bookTables(size: BookSize): BookTable[] {
  const { invoices, asOf, accountId } = size;
  const { franchises, locations, customers, largeCustomers, locationOffset } = bookShape(size);
  const { customerOf, franchiseOf, hasUser } = bookShape(size);

  /** The card payments, and the refused attempt before one in twenty of them. */
  const attempt = `
    SELECT line.*, is_accepted, amount_cents + services_cents + services_tax_cents + tip_cents AS total_cents,
           CASE WHEN is_accepted THEN paid_at ELSE paid_at - interval '1 minute' END AS tried_at,
           CASE WHEN is_accepted THEN accepted_intent_id ELSE ${id('refused', 'n')} END AS intent_id,
           CASE WHEN is_accepted THEN accepted_charge_id ELSE ${id('refusal', 'n')} END AS charge_id
      FROM ${LINES} AS line
     CROSS JOIN (VALUES (true), (false)) AS tried (is_accepted)
     WHERE paid_by = 'card' AND (is_accepted OR is_tried_twice)`;
  const customer = `
    SELECT n, ${franchiseOf('n')} AS franchise_id, ${id('user', 'n')} AS user_id,
           timestamptz '${asOf}' - ${uniform('n', 9)} * interval '${YEARS_IN_DAYS} days' AS since
      FROM generate_series(1::bigint, ${customers}) AS n`;
  const user = `SELECT * FROM (${customer}) AS customer WHERE ${hasUser('n')}`;
  /** A third of the users have a saved card. */
  const card = `SELECT *, ${id('card', 'n')} AS intent_id, ${id('probe', 'n')} AS charge_id
                  FROM (${user}) AS owner WHERE n % 9 = 0`;

  return [
    {
      name: 'ledger_entry',
      insert: `
        INSERT INTO ledger_entry
          (charge_id, invoice_id, account, direction, amount_cents, reason, source_id, franchise_id, created_at)
        SELECT CASE paid_by WHEN 'card' THEN accepted_charge_id END, n, account, direction, cents,
               CASE paid_by WHEN 'card' THEN 'payment' ELSE 'paid-elsewhere' END,
               CASE paid_by WHEN 'office' THEN 'office:' || n || ':1' END, franchise_id,
               CASE paid_by WHEN 'card' THEN paid_at + interval '1 second' ELSE paid_at END
          FROM ${LINES} AS line
         CROSS JOIN LATERAL (VALUES
           (CASE paid_by WHEN 'card' THEN 'card' ELSE 'office' END, 'debit',
            CASE paid_by WHEN 'card' THEN amount_cents + services_cents + services_tax_cents + tip_cents
                         ELSE amount_cents END),
           ('receivable', 'credit', amount_cents),
           ('services', 'credit', CASE paid_by WHEN 'card' THEN services_cents ELSE 0 END),
           ('services-tax', 'credit', CASE paid_by WHEN 'card' THEN services_tax_cents ELSE 0 END),
           ('tips', 'credit', CASE paid_by WHEN 'card' THEN tip_cents ELSE 0 END)) AS entry (account, direction, cents)
         WHERE paid_by <> 'nothing' AND cents > 0`,
    },
    {
      name: 'invoice',
      insert: `
        INSERT INTO invoice
          (id, franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm, due_date,
           completed_date, tips_enabled, paid_elsewhere_cents, paid_cents, paid_tax_cents, version)
        OVERRIDING SYSTEM VALUE
        SELECT n, franchise_id, n, location_id, 'Windows, inside and out; Gutters', amount_cents, tax_cents, 82500,
               completed_at::date + 30, completed_at::date, true,
               CASE paid_by WHEN 'office' THEN amount_cents ELSE 0 END,
               CASE paid_by WHEN 'card' THEN amount_cents ELSE 0 END,
               CASE paid_by WHEN 'card' THEN tax_cents ELSE 0 END,
               CASE paid_by WHEN 'card' THEN 2 ELSE 1 END
          FROM ${LINES} AS line`,
    },
    {
      name: 'payment_intent',
      insert: `
        INSERT INTO payment_intent
          (id, kind, user_id, idem_scope, idem_key, request_hash, state, created_at, deadline_at, decided_at,
           response_status, response_body, payer_email)
        SELECT intent_id, CASE WHEN ${hasUser('customer_id')} THEN 'portal' ELSE 'guest' END,
               CASE WHEN ${hasUser('customer_id')} THEN ${id('user', 'customer_id')} END,
               CASE WHEN ${hasUser('customer_id')} THEN ${id('user', 'customer_id')}::text
                    ELSE 'guest:' || franchise_id || ':' || n END,
               intent_id::text, md5(n::text) || md5(intent_id::text),
               CASE WHEN is_accepted THEN 'accepted' ELSE 'declined' END,
               tried_at, tried_at + interval '25 seconds', tried_at + interval '1 second',
               CASE WHEN is_accepted THEN 200 ELSE 400 END,
               jsonb_build_object('orderId', substr(md5(n::text), 1, 24), 'reference', n, 'maskedCard', 'xxxx2224'),
               'payer' || customer_id || '@example.com'
          FROM (${attempt}) AS attempt
        UNION ALL
        SELECT intent_id, 'card', user_id, user_id::text, intent_id::text, md5(n::text), 'abandoned',
               since, since + interval '25 seconds', since + interval '1 second', 200, '{}', NULL
          FROM (${card}) AS card`,
    },
    {
      name: 'charge',
      insert: `
        INSERT INTO charge
          (id, intent_id, merchant_account_id, amount_cents, order_id, state, transaction_key, reference, masked_card,
           card_brand, created_at, accepted_at, capture_sent_at, captured_at)
        SELECT charge_id, intent_id, ${accountId}, total_cents, 'books0-' || substr(md5(charge_id::text), 1, 24),
               CASE WHEN is_accepted THEN 'captured' ELSE 'refused' END,
               CASE WHEN is_accepted THEN substr(md5(intent_id::text), 1, 16) END,
               CASE WHEN is_accepted THEN 'b' || n END, CASE WHEN is_accepted THEN 'xxxxxxxxxxxx' || ${LAST_FOUR} END,
               CASE WHEN is_accepted THEN 'Visa' END, tried_at,
               CASE WHEN is_accepted THEN tried_at + interval '1 second' END,
               CASE WHEN is_accepted THEN tried_at + interval '1 second' END,
               CASE WHEN is_accepted THEN tried_at + interval '2 seconds' END
          FROM (${attempt}) AS attempt
        UNION ALL
        SELECT charge_id, intent_id, ${accountId}, 100, 'books0-' || substr(md5(charge_id::text), 1, 24), 'released',
               substr(md5(intent_id::text), 1, 16), 'c' || n, NULL, NULL, since, NULL, NULL, NULL
          FROM (${card}) AS card`,
    },
    {
      name: 'charge_allocation',
      insert: `
        INSERT INTO charge_allocation
          (charge_id, invoice_id, invoice_cents, tax_cents, services_cents, services_tax_cents, tip_cents,
           priced_version)
        SELECT charge_id, n, net_cents, tax_cents, services_cents, services_tax_cents, tip_cents, 1
          FROM (${attempt}) AS attempt`,
    },
    {
      name: 'payment_share',
      insert: `
        INSERT INTO payment_share
          (charge_id, franchise_id, intent_id, at, outcome, amount_cents, tip_cents, services_cents, brand, last_four)
        SELECT charge_id, franchise_id, intent_id, tried_at + interval '1 second',
               CASE WHEN is_accepted THEN 'accepted' ELSE 'declined' END, total_cents, tip_cents, services_cents,
               CASE WHEN is_accepted THEN 'Visa' END, CASE WHEN is_accepted THEN ${LAST_FOUR} END
          FROM (${attempt}) AS attempt`,
    },
    {
      name: 'invoice_claim',
      insert: `
        INSERT INTO invoice_claim (invoice_id, intent_id, state)
        SELECT n, intent_id, CASE WHEN is_accepted THEN 'paid' ELSE 'freed' END FROM (${attempt}) AS attempt`,
    },
    {
      name: 'outgoing_mail',
      insert: `
        INSERT INTO outgoing_mail
          (id, kind, recipient, content, intent_id, created_at, sent_at, next_try_at, fence, attempts)
        SELECT ${id('receipt', 'n')}, 'payment-receipt', 'payer' || customer_id || '@example.com', '{}', intent_id,
               tried_at, tried_at + interval '3 seconds', NULL, 1, 1
          FROM (${attempt}) AS attempt WHERE is_accepted AND luck_of_mail < 0.6`,
    },
    {
      name: 'location',
      insert: `
        INSERT INTO location
          (id, franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
        OVERRIDING SYSTEM VALUE
        SELECT n, ${franchiseOf('customer_id')}, n, customer_id, 'Home', n || ' Maple Street', 'Springfield', 'IL',
               zip, zip
          FROM generate_series(1::bigint, ${locations}) AS n
         CROSS JOIN LATERAL (
           SELECT ${customerOf('n')} AS customer_id, lpad((n % 90000 + 10000)::text, 5, '0') AS zip OFFSET 0) AS place`,
    },
    {
      name: 'customer',
      insert: `
        INSERT INTO customer (id, franchise_id, number, name, name_key, email) OVERRIDING SYSTEM VALUE
        SELECT n, franchise_id, n, 'Customer ' || ${nameOf('n')}, 'customer ' || ${nameOf('n')},
               'owner' || n || '@example.com'
          FROM (${customer}) AS customer`,
    },
    {
      name: 'search_word',
      insert: `
        INSERT INTO search_word (franchise_id, word, customer_id)
        SELECT franchise_id, word, n
          FROM (${customer}) AS customer
         CROSS JOIN LATERAL (VALUES ('customer'), (${nameOf('n')}), ('maple'), ('springfield')) AS found (word)`,
    },
    {
      name: 'app_user',
      insert: `
        INSERT INTO app_user (id, email, first_name, last_name, password_hash, email_confirmed_at, created_at)
        SELECT user_id, 'owner' || n || '@example.com', 'Robin', 'Example', '${size.passwordHash}', since, since
          FROM (${user}) AS owner`,
    },
    {
      name: 'user_customer',
      insert: `
        INSERT INTO user_customer (user_id, customer_id, created_at)
        SELECT user_id, n, since FROM (${user}) AS owner WHERE n <= ${largeCustomers} OR n % 2 = 0`,
    },
    {
      name: 'user_location',
      insert: `
        INSERT INTO user_location (user_id, location_id, customer_id, linked_at, legal_accepted_at)
        SELECT user_id, n + ${locationOffset}, n, since, since
          FROM (${user}) AS owner WHERE n > ${largeCustomers} AND n % 2 = 1`,
    },
    {
      name: 'payment_method',
      insert: `
        INSERT INTO payment_method (user_id, charge_id, card_token, masked_card, brand, expires_month, created_at)
        SELECT user_id, charge_id, '${size.sealedCard}', 'xxxxxxxxxxxx2224', 'Visa', '2030-12-01', since
          FROM (${card}) AS card`,
    },
    {
      name: 'invitation',
      insert: `
        INSERT INTO invitation (id, customer_id, email, created_at, expires_at, accepted_at, accepted_by)
        SELECT ${id('invitation', 'n')}, n, 'owner' || n || '@example.com', since, since + interval '30 days',
               CASE WHEN ${hasUser('n')} THEN since END, CASE WHEN ${hasUser('n')} THEN user_id END
          FROM (${customer}) AS customer WHERE n % 2 = 0`,
    },
    {
      name: 'session',
      insert: `
        INSERT INTO session (id, user_id, rotated_at, created_at, expires_at, ended_at)
        SELECT md5('session' || n || device)::uuid, user_id, begun, begun, begun + interval '30 days',
               CASE WHEN device = 1 THEN begun + interval '1 day' END
          FROM (${user}) AS owner
         CROSS JOIN generate_series(1, 2) AS device
         CROSS JOIN LATERAL (
           SELECT timestamptz '${asOf}' - ${uniform('n * 2 + device', 11)} * interval '29 days' AS begun OFFSET 0) AS used`,
    },
    {
      name: 'known_address',
      insert: `
        INSERT INTO known_address (user_id, address, seen_at)
        SELECT user_id, md5(n || ':' || device), since FROM (${user}) AS owner CROSS JOIN generate_series(1, 2) AS device`,
    },
    {
      name: 'mail_token',
      insert: `
        INSERT INTO mail_token (token_hash, purpose, email, created_at, expires_at, used_at)
        SELECT sha256(n::text::bytea), 'confirm', 'owner' || n || '@example.com', begun, begun + interval '1 day', begun
          FROM (${user}) AS owner
         CROSS JOIN LATERAL (
           SELECT timestamptz '${asOf}' - ${uniform('n', 12)} * interval '29 days' AS begun OFFSET 0) AS asked`,
    },
    {
      name: 'audit_event',
      insert: `
        INSERT INTO audit_event (at, actor, action, subject, detail)
        SELECT timestamptz '${asOf}' - (n / ${invoices / 10}::float8) * interval '${YEARS_IN_DAYS} days', 'office',
               'import', CASE WHEN n % 20 = 0 THEN 'invoices' ELSE 'franchise ' || n % 400 END, '{}'
          FROM generate_series(1, ${Math.ceil(invoices / 10)}) AS n`,
    },
    {
      name: 'limit_counter',
      insert: `
        INSERT INTO limit_counter (key, count, last_at, window_end)
        SELECT md5('limit' || n), 1, timestamptz '${asOf}', timestamptz '${asOf}' + (n % 60) * interval '1 minute'
          FROM generate_series(1, ${Math.ceil(invoices / 10)}) AS n`,
    },
    {
      name: 'franchise',
      insert: `
        INSERT INTO franchise (id, name, time_zone)
        SELECT ${FIRST_FRANCHISE} + n, 'Franchise ' || n, 'America/Chicago' FROM generate_series(0, ${franchises - 1}) AS n`,
    },
  ];
}
