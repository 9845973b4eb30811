-- What the payment engine needs beside its money tables.

-- The engine's deadlines, leases and waiting times go by one clock, the database's. Tests set it ahead by a row here;
-- the portal itself never writes one.
CREATE TABLE engine_clock (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  ahead interval NOT NULL
);
CREATE FUNCTION engine_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT clock_timestamp() + coalesce((SELECT ahead FROM engine_clock), interval '0') $$;

ALTER TABLE payment_intent ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE charge ALTER COLUMN created_at SET DEFAULT engine_now();

-- Whose order ids are ours. A copy of the database that serves another address gets a prefix of its own, and leaves
-- the charges of the original alone.
CREATE TABLE deployment (
  public_url text PRIMARY KEY,
  order_prefix text NOT NULL UNIQUE CHECK (order_prefix ~ '^[a-z0-9]{6}$'),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What the sweep may still ask of an account: its listings are counted, and a "too many requests" lets it rest.
CREATE TABLE provider_budget (
  merchant_account_id bigint PRIMARY KEY REFERENCES merchant_account,
  minute timestamptz NOT NULL DEFAULT '-infinity',
  listings_in_minute integer NOT NULL DEFAULT 0,
  day timestamptz NOT NULL DEFAULT '-infinity',
  listings_in_day integer NOT NULL DEFAULT 0,
  resting_until timestamptz
);

-- Takes one listing out of an account's budget, or says which of its two limits is reached.
CREATE FUNCTION take_listing(account_id bigint, per_minute integer, per_day integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  this_minute timestamptz := date_trunc('minute', engine_now());
  this_day timestamptz := date_trunc('day', this_minute);
  budget provider_budget;
BEGIN
  INSERT INTO provider_budget (merchant_account_id) VALUES (account_id) ON CONFLICT DO NOTHING;
  SELECT * INTO budget FROM provider_budget WHERE merchant_account_id = account_id FOR UPDATE;
  IF budget.day <> this_day THEN budget.listings_in_day := 0; END IF;
  IF budget.minute <> this_minute THEN budget.listings_in_minute := 0; END IF;
  IF budget.listings_in_day >= per_day THEN RETURN 'day-spent'; END IF;
  IF budget.listings_in_minute >= per_minute THEN RETURN 'minute-spent'; END IF;
  UPDATE provider_budget
     SET minute = this_minute, listings_in_minute = budget.listings_in_minute + 1,
         day = this_day, listings_in_day = budget.listings_in_day + 1
   WHERE merchant_account_id = account_id;
  RETURN 'taken';
END $$;

-- What must be true of the books at any moment: no rows. Rule names are those of docs/money-safety.md; what only the
-- provider's own ledger can show is compared by the nightly job.
CREATE VIEW invariant_violations AS
WITH line AS (
  SELECT a.charge_id, a.invoice_id, a.priced_version, a.tax_cents, a.services_cents, a.services_tax_cents,
         a.invoice_cents + a.tax_cents AS due_cents,
         a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents AS total_cents,
         c.intent_id, c.state, charge_counts(c.state) AS counts
    FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
), booked AS (
  SELECT charge_id, invoice_id,
         sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END) AS difference_cents,
         coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
           FILTER (WHERE account = 'card'), 0) AS card_cents,
         coalesce(sum(CASE direction WHEN 'credit' THEN amount_cents ELSE -amount_cents END)
           FILTER (WHERE account = 'receivable'), 0) AS receivable_cents
    FROM ledger_entry GROUP BY charge_id, invoice_id
), paid AS (
  SELECT invoice_id, sum(due_cents) AS due_cents, sum(tax_cents) AS tax_cents
    FROM line WHERE counts GROUP BY invoice_id
)
SELECT 'I1 debits are credits' AS rule, concat('charge ', charge_id, ' invoice ', invoice_id) AS subject
  FROM booked WHERE difference_cents <> 0
UNION ALL
SELECT 'I2 what counts is booked, and nothing else', concat('charge ', l.charge_id, ' invoice ', l.invoice_id)
  FROM line l LEFT JOIN booked b ON b.charge_id = l.charge_id AND b.invoice_id = l.invoice_id
 WHERE coalesce(b.card_cents, 0) <> CASE WHEN l.counts THEN l.total_cents ELSE 0 END
    OR coalesce(b.receivable_cents, 0) <> CASE WHEN l.counts THEN l.due_cents ELSE 0 END
UNION ALL
SELECT 'I2 a balance is paid once', concat('invoice ', invoice_id, ' version ', priced_version)
  FROM line WHERE counts GROUP BY invoice_id, priced_version HAVING count(*) > 1
UNION ALL
SELECT 'I3 one live claim', concat('invoice ', invoice_id)
  FROM invoice_claim WHERE state = 'live' GROUP BY invoice_id HAVING count(*) > 1
UNION ALL
SELECT 'I3 claims live as long as their intent is undecided', concat('intent ', p.id)
  FROM payment_intent p JOIN invoice_claim c ON c.intent_id = p.id
 WHERE c.state <> CASE p.state WHEN 'undecided' THEN 'live' WHEN 'accepted' THEN 'settled' ELSE 'freed' END
UNION ALL
SELECT 'I6 no more is reversed than was booked', concat('charge ', charge_id)
  FROM ledger_entry WHERE charge_id IS NOT NULL AND account = 'card' GROUP BY charge_id
HAVING sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END) < 0
UNION ALL
SELECT 'I7 a charge is the sum of its lines', concat('charge ', c.id)
  FROM charge c JOIN payment_intent p ON p.id = c.intent_id
 WHERE p.kind <> 'card'
   AND c.amount_cents IS DISTINCT FROM (SELECT sum(l.total_cents) FROM line l WHERE l.charge_id = c.id)
UNION ALL
SELECT 'I8 tax paid is never negative', concat('charge ', charge_id, ' invoice ', invoice_id)
  FROM line WHERE tax_cents + services_tax_cents < 0 OR tax_cents < 0
UNION ALL
SELECT 'I8 tax of services by its formula', concat('charge ', l.charge_id, ' invoice ', l.invoice_id)
  FROM line l JOIN invoice i ON i.id = l.invoice_id
 -- The rate it was priced at is known as long as nothing else has changed the invoice since.
 WHERE l.counts AND i.version = l.priced_version + 1
   AND l.services_tax_cents
       <> greatest(round(l.services_cents::numeric * i.tax_rate_ppm / 1000000), -l.tax_cents)
UNION ALL
SELECT 'I9 the balance is what is left', concat('invoice ', i.id)
  FROM invoice i LEFT JOIN paid ON paid.invoice_id = i.id
 WHERE i.paid_cents <> coalesce(paid.due_cents, 0)
    OR i.paid_tax_cents <> coalesce(paid.tax_cents, 0)
    OR i.balance_cents <> greatest(0, i.amount_cents - coalesce(paid.due_cents, 0) - i.paid_elsewhere_cents)
UNION ALL
SELECT 'I9 what an office has received is booked', concat('invoice ', i.id)
  FROM invoice i LEFT JOIN booked b ON b.invoice_id = i.id AND b.charge_id IS NULL
 WHERE i.paid_elsewhere_cents <> coalesce(b.receivable_cents, 0)
UNION ALL
SELECT 'I10 accepted as a whole', concat('intent ', p.id)
  FROM payment_intent p JOIN charge c ON c.intent_id = p.id
 WHERE (p.state = 'accepted') <> (c.state IN ('accepted', 'captured', 'reversing', 'capture_failed'))
    OR (p.state = 'undecided') <> (c.state IN ('authorising', 'authorised'))
UNION ALL
SELECT 'I11 one charge for a transaction', concat('transaction ', transaction_key)
  FROM charge WHERE transaction_key IS NOT NULL
 GROUP BY merchant_account_id, transaction_key HAVING count(*) > 1
UNION ALL
SELECT 'I13 nothing stays unfinished unseen', concat('charge ', c.id)
  FROM charge c JOIN payment_intent p ON p.id = c.intent_id
 WHERE c.state IN ('authorising', 'authorised', 'accepted', 'reversing', 'abandoned', 'releasing', 'unresolved', 'conflict')
   AND c.review_since IS NULL AND p.deadline_at < engine_now() - interval '26 hours'
UNION ALL
SELECT 'I15 success is only told of what is accepted', concat('intent ', id)
  FROM payment_intent WHERE kind <> 'card' AND response_status = 200 AND state <> 'accepted'
UNION ALL
SELECT 'I16 a receipt is only for what is accepted', concat('mail ', m.id)
  FROM outgoing_mail m JOIN payment_intent p ON p.id = m.intent_id
 WHERE m.kind = 'payment-receipt' AND p.state <> 'accepted'
UNION ALL
SELECT 'I18 "not charged" is only told where nothing was accepted', concat('intent ', p.id)
  FROM payment_intent p
 WHERE p.response_body -> 'errors' @> '[{"code":"NotCharged"}]' AND p.state = 'accepted';
