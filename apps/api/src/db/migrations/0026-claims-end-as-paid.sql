-- A claim ends as `paid` or `freed`. "Settled" is what the provider has paid out, and nothing else.

-- Claims never change once they have ended, so those that ended as 'settled' keep the word: it reads as 'paid'. Versions
-- before this one go on writing it while they run beside this one. Old rows keep the narrower rule, so nobody reads them.
ALTER TABLE invoice_claim
  DROP CONSTRAINT invoice_claim_state_check,
  ADD CONSTRAINT invoice_claim_state_check CHECK (state IN ('live', 'paid', 'settled', 'freed')) NOT VALID;

-- The sums of what is paid on an invoice, under a name that says so.
ALTER TRIGGER settle_invoices ON charge RENAME TO sum_payments;
ALTER FUNCTION settle_invoices() RENAME TO sum_payments;

-- As before, but for the words: a rule speaks of payments, and a paid claim has two spellings.
CREATE OR REPLACE FUNCTION broken_rules(of_intents uuid[], of_invoices bigint[]) RETURNS TABLE (rule text, subject text)
LANGUAGE sql STABLE AS $$
WITH line AS MATERIALIZED (
  SELECT a.charge_id, a.invoice_id, a.priced_version, a.tax_cents, a.services_cents, a.services_tax_cents,
         a.invoice_cents + a.tax_cents AS due_cents,
         a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents AS total_cents,
         c.state, charge_counts(c.state) AS counts, booked.*
    FROM unnest(of_intents) AS wanted (id)
    JOIN charge c ON c.intent_id = wanted.id
    JOIN charge_allocation a ON a.charge_id = c.id
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
              FILTER (WHERE account = 'card'), 0) AS card_cents,
            coalesce(sum(CASE direction WHEN 'credit' THEN amount_cents ELSE -amount_cents END)
              FILTER (WHERE account = 'receivable'), 0) AS receivable_cents,
            coalesce(sum(amount_cents)
              FILTER (WHERE account = 'card' AND direction = 'debit' AND reason = 'payment'), 0) AS paid_in_cents,
            coalesce(sum(amount_cents)
              FILTER (WHERE account = 'card' AND direction = 'credit' AND reason = 'reversal'), 0) AS paid_back_cents
       FROM ledger_entry e WHERE e.charge_id = a.charge_id AND e.invoice_id = a.invoice_id) AS booked
), payment AS MATERIALIZED (
  SELECT c.id AS charge_id, c.state AS charge_state, c.amount_cents, c.next_try_at, c.review_since,
         c.merchant_account_id, c.transaction_key, p.id AS intent_id, p.kind, p.state AS intent_state, p.deadline_at
    FROM unnest(of_intents) AS wanted (id)
    JOIN payment_intent p ON p.id = wanted.id
    JOIN charge c ON c.intent_id = p.id
)
SELECT 'I1 debits are credits', concat('charge ', e.charge_id, ' invoice ', e.invoice_id)
  FROM unnest(of_invoices) AS wanted (id) JOIN ledger_entry e ON e.invoice_id = wanted.id
 GROUP BY e.charge_id, e.invoice_id
HAVING sum(CASE e.direction WHEN 'debit' THEN e.amount_cents ELSE -e.amount_cents END) <> 0
UNION ALL
SELECT 'I2 what counts is booked, and nothing else', concat('charge ', charge_id, ' invoice ', invoice_id)
  FROM line
 WHERE card_cents <> CASE WHEN counts THEN total_cents ELSE 0 END
    OR receivable_cents <> CASE WHEN counts THEN due_cents ELSE 0 END
UNION ALL
SELECT 'I2 a payment is booked, and booked back where its capture failed',
       concat('charge ', charge_id, ' invoice ', invoice_id)
  FROM line
 WHERE paid_in_cents <> CASE WHEN counts OR state = 'capture_failed' THEN total_cents ELSE 0 END
    OR paid_back_cents <> CASE WHEN state = 'capture_failed' THEN total_cents ELSE 0 END
UNION ALL
SELECT 'I2 a balance is paid once', concat('invoice ', a.invoice_id, ' version ', a.priced_version)
  FROM unnest(of_invoices) AS wanted (id)
  JOIN charge_allocation a ON a.invoice_id = wanted.id
  JOIN charge c ON c.id = a.charge_id
 WHERE charge_counts(c.state) GROUP BY a.invoice_id, a.priced_version HAVING count(*) > 1
UNION ALL
SELECT 'I3 one live claim', concat('invoice ', c.invoice_id)
  FROM unnest(of_invoices) AS wanted (id) JOIN invoice_claim c ON c.invoice_id = wanted.id
 WHERE c.state = 'live' GROUP BY c.invoice_id HAVING count(*) > 1
UNION ALL
SELECT 'I3 claims live as long as their payment is undecided', concat('payment ', p.id)
  FROM unnest(of_intents) AS wanted (id)
  JOIN payment_intent p ON p.id = wanted.id
  JOIN invoice_claim c ON c.intent_id = p.id
 WHERE replace(c.state, 'settled', 'paid')
       <> CASE p.state WHEN 'undecided' THEN 'live' WHEN 'accepted' THEN 'paid' ELSE 'freed' END
UNION ALL
SELECT 'I6 no more is reversed than was booked', concat('charge ', payment.charge_id)
  FROM payment JOIN ledger_entry e ON e.charge_id = payment.charge_id AND e.account = 'card'
 GROUP BY payment.charge_id
HAVING sum(CASE e.direction WHEN 'debit' THEN e.amount_cents ELSE -e.amount_cents END) < 0
UNION ALL
SELECT 'I7 a charge is the sum of its lines', concat('charge ', payment.charge_id)
  FROM payment
 CROSS JOIN LATERAL (
   SELECT sum(a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents) AS total_cents
     FROM charge_allocation a WHERE a.charge_id = payment.charge_id) AS lines
 WHERE payment.kind <> 'card' AND payment.amount_cents IS DISTINCT FROM lines.total_cents
UNION ALL
SELECT 'I8 tax paid is never negative', concat('charge ', charge_id, ' invoice ', invoice_id)
  FROM line WHERE tax_cents + services_tax_cents < 0 OR tax_cents < 0
UNION ALL
SELECT 'I8 tax of services by its formula', concat('charge ', line.charge_id, ' invoice ', line.invoice_id)
  FROM line JOIN invoice i ON i.id = line.invoice_id
 -- The rate it was priced at is known as long as nothing else has changed the invoice since.
 WHERE line.counts AND i.version = line.priced_version + 1
   AND line.services_tax_cents
       <> greatest(round(line.services_cents::numeric * i.tax_rate_ppm / 1000000), -line.tax_cents)
UNION ALL
SELECT 'I9 the balance is what is left', concat('invoice ', i.id)
  FROM unnest(of_invoices) AS wanted (id)
  JOIN invoice i ON i.id = wanted.id
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(a.invoice_cents + a.tax_cents), 0) AS due_cents, coalesce(sum(a.tax_cents), 0) AS tax_cents
     FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
    WHERE a.invoice_id = i.id AND charge_counts(c.state)) AS paid
 WHERE i.paid_cents <> paid.due_cents OR i.paid_tax_cents <> paid.tax_cents
    OR i.balance_cents <> greatest(0, i.amount_cents - paid.due_cents - i.paid_elsewhere_cents)
UNION ALL
SELECT 'I9 what an office has received is booked', concat('invoice ', i.id)
  FROM unnest(of_invoices) AS wanted (id)
  JOIN invoice i ON i.id = wanted.id
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END), 0) AS cents
     FROM ledger_entry e
    WHERE e.invoice_id = i.id AND e.charge_id IS NULL AND e.account = 'receivable') AS received
 WHERE i.paid_elsewhere_cents <> received.cents
UNION ALL
SELECT 'I10 accepted as a whole', concat('payment ', intent_id)
  FROM payment
 WHERE (intent_state = 'accepted') <> (charge_state IN ('accepted', 'captured', 'reversing', 'capture_failed'))
    OR (intent_state = 'undecided') <> (charge_state IN ('authorising', 'authorised'))
UNION ALL
SELECT DISTINCT 'I11 one charge for a transaction', concat('transaction ', payment.transaction_key)
  FROM payment JOIN charge other ON other.merchant_account_id = payment.merchant_account_id
   AND other.transaction_key = payment.transaction_key AND other.id <> payment.charge_id
UNION ALL
SELECT 'I12 what has ended waits for nothing', concat('charge ', charge_id)
  FROM payment
 WHERE charge_state IN ('captured', 'capture_failed', 'refused', 'released', 'absent')
   AND (next_try_at IS NOT NULL OR review_since IS NOT NULL)
UNION ALL
SELECT 'I13 nothing stays unfinished unseen', concat('charge ', charge_id)
  FROM payment
 WHERE charge_state IN ('authorising', 'authorised', 'accepted', 'reversing', 'abandoned', 'releasing', 'unresolved',
                        'conflict')
   AND review_since IS NULL AND deadline_at < (SELECT engine_now()) - interval '26 hours'
UNION ALL
SELECT 'I15 success is only told of what is accepted', concat('payment ', p.id)
  FROM unnest(of_intents) AS wanted (id) JOIN payment_intent p ON p.id = wanted.id
 WHERE p.kind <> 'card' AND p.response_status = 200 AND p.state <> 'accepted'
UNION ALL
SELECT 'I16 a receipt is only for what is accepted', concat('mail ', m.id)
  FROM unnest(of_intents) AS wanted (id)
  JOIN payment_intent p ON p.id = wanted.id
  JOIN outgoing_mail m ON m.intent_id = p.id
 WHERE m.kind = 'payment-receipt' AND p.state <> 'accepted'
UNION ALL
SELECT 'I18 "not charged" is only told where nothing was accepted', concat('payment ', p.id)
  FROM unnest(of_intents) AS wanted (id) JOIN payment_intent p ON p.id = wanted.id
 WHERE p.response_body -> 'errors' @> '[{"code":"NotCharged"}]' AND p.state = 'accepted'
$$;
