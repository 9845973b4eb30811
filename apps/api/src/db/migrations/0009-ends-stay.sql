-- What has come to its end does not change any more, whoever tries: a charge, what a payment was decided to be, and who
-- had claimed an invoice.

-- Only a lease may still be taken on an ended charge: by whoever gives back a hold that turned up too late.
CREATE OR REPLACE FUNCTION keep_terminal_charge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lease CONSTANT text[] := '{lease_until,fence,attempts}';
BEGIN
  IF OLD.state IN ('captured', 'capture_failed', 'refused', 'released', 'absent')
     AND to_jsonb(NEW) - lease IS DISTINCT FROM to_jsonb(OLD) - lease THEN
    RAISE EXCEPTION 'charge % is % for good', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.amount_cents, NEW.order_id, NEW.intent_id, NEW.merchant_account_id)
     IS DISTINCT FROM (OLD.amount_cents, OLD.order_id, OLD.intent_id, OLD.merchant_account_id) THEN
    RAISE EXCEPTION 'charge % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- The answer of an accepted payment may still be replaced: its capture can turn out to be impossible.
CREATE FUNCTION keep_decided_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'undecided' AND (
       NEW.state <> OLD.state
       OR (OLD.state <> 'accepted' AND (NEW.response_status, NEW.response_body)
                                       IS DISTINCT FROM (OLD.response_status, OLD.response_body))) THEN
    RAISE EXCEPTION 'payment % is % for good', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.kind, NEW.user_id, NEW.idem_scope, NEW.idem_key, NEW.request_hash)
     IS DISTINCT FROM (OLD.kind, OLD.user_id, OLD.idem_scope, OLD.idem_key, OLD.request_hash) THEN
    RAISE EXCEPTION 'payment % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_decided_intent BEFORE UPDATE ON payment_intent
  FOR EACH ROW EXECUTE FUNCTION keep_decided_intent();

CREATE FUNCTION keep_ended_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'live' AND NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'the claim on invoice % is % for good', OLD.invoice_id, OLD.state
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_ended_claim BEFORE UPDATE ON invoice_claim FOR EACH ROW EXECUTE FUNCTION keep_ended_claim();
CREATE TRIGGER claims_stay BEFORE DELETE ON invoice_claim FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- As before, and two rules more: of what has ended, and of payments whose capture failed.
CREATE OR REPLACE VIEW invariant_violations AS
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
SELECT 'I2 a payment is booked, and booked back where its capture failed',
       concat('charge ', l.charge_id, ' invoice ', l.invoice_id)
  FROM line l
  LEFT JOIN ledger_entry paid_in ON paid_in.charge_id = l.charge_id AND paid_in.invoice_id = l.invoice_id
   AND paid_in.account = 'card' AND paid_in.direction = 'debit' AND paid_in.reason = 'payment'
  LEFT JOIN ledger_entry paid_back ON paid_back.charge_id = l.charge_id AND paid_back.invoice_id = l.invoice_id
   AND paid_back.account = 'card' AND paid_back.direction = 'credit' AND paid_back.reason = 'reversal'
 WHERE coalesce(paid_in.amount_cents, 0)
       <> CASE WHEN l.counts OR l.state = 'capture_failed' THEN l.total_cents ELSE 0 END
    OR coalesce(paid_back.amount_cents, 0) <> CASE WHEN l.state = 'capture_failed' THEN l.total_cents ELSE 0 END
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
  -- Added up once for all charges: once for each would take longer than the check has, with some ten thousand of them.
  LEFT JOIN (SELECT charge_id, sum(total_cents) AS total_cents FROM line GROUP BY charge_id) l ON l.charge_id = c.id
 WHERE p.kind <> 'card' AND c.amount_cents IS DISTINCT FROM l.total_cents
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
SELECT 'I12 what has ended waits for nothing', concat('charge ', id)
  FROM charge
 WHERE state IN ('captured', 'capture_failed', 'refused', 'released', 'absent')
   AND (next_try_at IS NOT NULL OR review_since IS NOT NULL)
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
