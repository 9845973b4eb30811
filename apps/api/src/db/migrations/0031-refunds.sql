-- Money that goes back: who asked for it, what became of it at the provider, and what it changes in the books.

-- What a person or a key asked for, at once: one refund for each charge.
CREATE TABLE refund_request (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  intent_id uuid NOT NULL REFERENCES payment_intent,
  actor uuid NOT NULL, -- staff or key
  idem_key text NOT NULL,
  request_hash text NOT NULL,
  reason text NOT NULL CHECK (reason IN (
    'overpaid', 'wrong-amount', 'work-not-done', 'complaint', 'paid-twice', 'tip-mistake', 'fraud', 'other')),
  note text,
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  needs_approval boolean NOT NULL,
  approved_by uuid,
  approved_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  UNIQUE (actor, idem_key),
  CHECK (reason <> 'other' OR note IS NOT NULL),
  CHECK (num_nonnulls(approved_by, approved_at) IN (0, 2)),
  CHECK (approved_by IS NULL OR needs_approval AND approved_by <> actor)
);
CREATE INDEX refund_request_by_payment ON refund_request (intent_id, created_at);
CREATE INDEX refund_request_by_creation ON refund_request (created_at);

CREATE TABLE refund (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  request_id uuid NOT NULL REFERENCES refund_request,
  charge_id uuid NOT NULL REFERENCES charge,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- What the provider shows people beside it; proof of nothing.
  mark text NOT NULL UNIQUE CHECK (mark ~ '^r[0-9a-z]{23}$'),
  state text NOT NULL CHECK (state IN (
    'requested', 'waiting', 'sending', 'unknown', 'held', 'made', 'refused', 'not_made', 'withdrawn')),
  method text CHECK (method IN ('void', 'refund')),
  -- Until then a void that was sent may still land; it outlives the void.
  void_until timestamptz,
  -- The provider's refunds of this order before it was sent, and those that a person has seen.
  before_keys text[] NOT NULL DEFAULT '{}',
  known_keys text[] NOT NULL DEFAULT '{}',
  looked_at timestamptz,
  sent_at timestamptz,
  deadline_at timestamptz,
  answer_key text,
  transaction_key text,
  reference text,
  batch_key text,
  made_at timestamptz,
  undone_at timestamptz,
  held_for text,
  provider_words text,
  closed_at timestamptz,
  closed_note text,
  first_absent_at timestamptz,
  review_since timestamptz,
  next_try_at timestamptz,
  lease_until timestamptz,
  fence bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  retry_of uuid UNIQUE REFERENCES refund,
  UNIQUE (id, charge_id),
  CHECK ((sent_at IS NULL) = (deadline_at IS NULL)),
  CHECK (state NOT IN ('requested', 'waiting', 'withdrawn') OR (sent_at IS NULL AND method IS NULL)),
  CHECK (state NOT IN ('sending', 'unknown', 'not_made', 'refused') OR (sent_at IS NOT NULL AND method IS NOT NULL)),
  CHECK ((state = 'made') = (made_at IS NOT NULL)),
  CHECK (state <> 'made' OR (method IS NOT NULL AND transaction_key IS NOT NULL)),
  CHECK (state = 'made' OR undone_at IS NULL),
  CHECK ((state = 'held') = (held_for IS NOT NULL)),
  CHECK (num_nonnulls(closed_at, closed_note) IN (0, 2)),
  CHECK (closed_at IS NULL OR state IN ('refused', 'not_made')),
  CHECK (state NOT IN ('made', 'refused', 'not_made', 'withdrawn') OR (next_try_at IS NULL AND review_since IS NULL))
);
CREATE INDEX refund_by_request ON refund (request_id);
CREATE INDEX refund_by_charge ON refund (charge_id);
CREATE INDEX refund_to_do ON refund (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX refund_in_review ON refund (review_since) WHERE review_since IS NOT NULL;
CREATE INDEX refund_by_end ON refund (made_at) WHERE made_at IS NOT NULL;
CREATE UNIQUE INDEX one_moving_refund ON refund (charge_id)
  WHERE state IN ('sending', 'unknown') OR (state = 'held' AND sent_at IS NOT NULL);
CREATE UNIQUE INDEX one_void ON refund (charge_id) WHERE method = 'void' AND state = 'made' AND undone_at IS NULL;
CREATE UNIQUE INDEX one_refund_a_transaction ON refund (transaction_key)
  WHERE method = 'refund' AND transaction_key IS NOT NULL;

-- Which parts of one work order go back. A payer's credit is negative services, here as in the allocation.
CREATE TABLE refund_line (
  refund_id uuid NOT NULL,
  charge_id uuid NOT NULL,
  invoice_id bigint NOT NULL,
  invoice_cents bigint NOT NULL CHECK (invoice_cents >= 0),
  tax_cents bigint NOT NULL CHECK (tax_cents >= 0),
  services_cents bigint NOT NULL,
  services_tax_cents bigint NOT NULL,
  tip_cents bigint NOT NULL CHECK (tip_cents >= 0),
  -- What becomes of the invoice where invoice or tax go back.
  effect text CHECK (effect IN ('due-again', 'credited')),
  -- It was said that nothing falls due.
  nothing_due boolean NOT NULL DEFAULT false,
  PRIMARY KEY (refund_id, invoice_id),
  FOREIGN KEY (refund_id, charge_id) REFERENCES refund (id, charge_id),
  FOREIGN KEY (charge_id, invoice_id) REFERENCES charge_allocation (charge_id, invoice_id),
  CHECK (effect IS NOT NULL OR invoice_cents + tax_cents = 0)
);
CREATE INDEX refund_line_by_invoice ON refund_line (invoice_id);
CREATE INDEX refund_line_by_charge ON refund_line (charge_id);

-- The provider's approved refunds, as its lists show them.
CREATE TABLE seen_refund (
  transaction_key text PRIMARY KEY,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  order_id text NOT NULL,
  amount_cents bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('C', 'Z')),
  clerk text NOT NULL,
  created_on timestamptz, -- by the merchant's wall clock, read as UTC
  first_seen_at timestamptz NOT NULL DEFAULT engine_now(),
  refund_id uuid UNIQUE REFERENCES refund
);
CREATE INDEX seen_refund_by_order ON seen_refund (order_id);

-- Which part of an account's list seen_refund knows without a gap.
CREATE TABLE refund_coverage (
  merchant_account_id bigint PRIMARY KEY REFERENCES merchant_account,
  covered_from timestamptz NOT NULL,
  covered_until timestamptz NOT NULL,
  CHECK (covered_from <= covered_until)
);

-- A charge that its payer disputes at the card company: in a lost one the payer has the money already.
CREATE TABLE dispute (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  charge_id uuid NOT NULL REFERENCES charge,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  opened_on date NOT NULL,
  answer_by date,
  outcome text CHECK (outcome IN ('won', 'lost')),
  note text,
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  ended_at timestamptz,
  CHECK ((outcome IS NULL) = (ended_at IS NULL))
);
CREATE INDEX dispute_by_charge ON dispute (charge_id);

-- What one person may give back of a payment, and in a day, before another has to approve; 0 is nothing.
ALTER TABLE franchise
  ADD COLUMN refund_limit_cents bigint NOT NULL DEFAULT 20000 CHECK (refund_limit_cents >= 0),
  ADD COLUMN refund_day_limit_cents bigint NOT NULL DEFAULT 100000 CHECK (refund_day_limit_cents >= 0);

-- Taken of its charge: all that has not ended without effect.
CREATE FUNCTION refund_reserves(state text, undone_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS
$$ SELECT state NOT IN ('withdrawn', 'refused', 'not_made') AND undone_at IS NULL $$;

CREATE FUNCTION refund_has_ended(state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
$$ SELECT state IN ('made', 'refused', 'not_made', 'withdrawn') $$;

-- A request is not refunded before it has the approval that it needs; it begins where that says.
CREATE FUNCTION begin_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  request refund_request;
  charged charge;
BEGIN
  SELECT * INTO request FROM refund_request WHERE id = NEW.request_id;
  SELECT * INTO charged FROM charge WHERE id = NEW.charge_id;
  IF NEW.state <> (CASE WHEN request.needs_approval THEN 'requested' ELSE 'waiting' END)
     OR NEW.undone_at IS NOT NULL OR NEW.answer_key IS NOT NULL OR NEW.transaction_key IS NOT NULL THEN
    RAISE EXCEPTION 'refund % does not begin as %', NEW.id, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF request.approved_at IS NOT NULL THEN
    RAISE EXCEPTION 'request % is approved as it is', request.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF charged.intent_id <> request.intent_id OR charged.state NOT IN ('accepted', 'captured') THEN
    RAISE EXCEPTION 'charge % is not refundable', NEW.charge_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_refund BEFORE INSERT ON refund FOR EACH ROW EXECUTE FUNCTION begin_refund();

-- No part beyond what was paid for it, no invoice below nothing, no charge beyond its amount. Of lines that are asked
-- for only: money that has moved can always be booked.
CREATE FUNCTION refund_within_charge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  charged charge;
  refunded_cents bigint;
BEGIN
  SELECT * INTO charged FROM charge WHERE id = NEW.charge_id FOR UPDATE;
  IF EXISTS (
    SELECT FROM broken_reserves(NEW.charge_id) AS broken WHERE broken.invoice_id = NEW.invoice_id
  ) THEN
    RAISE EXCEPTION 'more than charge % paid for invoice %', NEW.charge_id, NEW.invoice_id
      USING ERRCODE = 'check_violation';
  END IF;
  SELECT sum(amount_cents) INTO refunded_cents FROM refund
   WHERE charge_id = NEW.charge_id AND refund_reserves(state, undone_at);
  IF refunded_cents > charged.amount_cents THEN
    RAISE EXCEPTION 'more than charge % took', NEW.charge_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- The work orders of a charge of which more is taken than was paid, part by part, or than the payer's credit leaves.
CREATE FUNCTION broken_reserves(of_charge uuid) RETURNS TABLE (invoice_id bigint) LANGUAGE sql STABLE AS $$
SELECT a.invoice_id
  FROM charge_allocation a
 CROSS JOIN LATERAL (
   SELECT sum(l.invoice_cents) AS invoice_cents, sum(l.tax_cents) AS tax_cents, sum(l.services_cents) AS services_cents,
          sum(l.services_tax_cents) AS services_tax_cents, sum(l.tip_cents) AS tip_cents,
          bool_or(l.services_cents > 0) AS has_positive, bool_or(l.services_cents < 0) AS has_negative,
          bool_or(l.services_tax_cents > 0) AS has_positive_tax, bool_or(l.services_tax_cents < 0) AS has_negative_tax
     FROM refund_line l JOIN refund r ON r.id = l.refund_id
    WHERE l.charge_id = a.charge_id AND l.invoice_id = a.invoice_id AND refund_reserves(r.state, r.undone_at)) AS taken
 WHERE a.charge_id = of_charge
   AND NOT (taken.invoice_cents <= a.invoice_cents AND taken.tax_cents <= a.tax_cents AND taken.tip_cents <= a.tip_cents
            AND taken.services_cents BETWEEN least(0, a.services_cents) AND greatest(0, a.services_cents)
            AND taken.services_tax_cents BETWEEN least(0, a.services_tax_cents) AND greatest(0, a.services_tax_cents)
            AND NOT (a.services_cents >= 0 AND taken.has_negative) AND NOT (a.services_cents <= 0 AND taken.has_positive)
            AND NOT (a.services_tax_cents >= 0 AND taken.has_negative_tax)
            AND NOT (a.services_tax_cents <= 0 AND taken.has_positive_tax)
            AND a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents
                >= taken.invoice_cents + taken.tax_cents + taken.services_cents + taken.services_tax_cents)
$$;
CREATE TRIGGER refund_within_charge AFTER INSERT ON refund_line FOR EACH ROW EXECUTE FUNCTION refund_within_charge();

-- Checked when a transaction ends: a refund is the sum of its lines, and a request of its refunds.
CREATE FUNCTION check_refund_is_its_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_request CONSTANT uuid := CASE TG_TABLE_NAME
    WHEN 'refund_request' THEN (to_jsonb(NEW)->>'id')::uuid
    WHEN 'refund' THEN (to_jsonb(NEW)->>'request_id')::uuid
    ELSE (SELECT request_id FROM refund WHERE id = (to_jsonb(NEW)->>'refund_id')::uuid) END;
BEGIN
  IF EXISTS (
    SELECT FROM refund r
      LEFT JOIN (SELECT refund_id, sum(invoice_cents + tax_cents + services_cents + services_tax_cents + tip_cents) AS cents
                   FROM refund_line GROUP BY refund_id) l ON l.refund_id = r.id
     WHERE r.request_id = of_request AND r.amount_cents IS DISTINCT FROM l.cents)
     OR (SELECT total_cents FROM refund_request WHERE id = of_request)
        IS DISTINCT FROM (SELECT sum(amount_cents) FROM refund WHERE request_id = of_request) THEN
    RAISE EXCEPTION 'request % is not the sum of its lines', of_request USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER refund_is_its_lines AFTER INSERT ON refund_request DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_refund_is_its_lines();
CREATE CONSTRAINT TRIGGER refund_is_its_lines AFTER INSERT ON refund DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_refund_is_its_lines();
CREATE CONSTRAINT TRIGGER refund_is_its_lines AFTER INSERT ON refund_line DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_refund_is_its_lines();

-- Nothing is sent before the charge was collected, while it is disputed, or without the approval it needs.
CREATE FUNCTION refund_may_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT state FROM charge WHERE id = NEW.charge_id) <> 'captured'
     OR EXISTS (SELECT FROM refund_request
                 WHERE id = NEW.request_id AND needs_approval AND approved_at IS NULL)
     OR EXISTS (SELECT FROM dispute WHERE charge_id = NEW.charge_id AND outcome IS DISTINCT FROM 'won') THEN
    RAISE EXCEPTION 'refund % may not start', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refund_may_start BEFORE UPDATE OF state ON refund
  FOR EACH ROW WHEN (NEW.state = 'sending') EXECUTE FUNCTION refund_may_start();

CREATE FUNCTION refund_may_move(was text, will_be text, was_sent boolean) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE was
    WHEN 'requested' THEN will_be IN ('waiting', 'withdrawn', 'held')
    WHEN 'waiting' THEN will_be IN ('sending', 'withdrawn', 'held')
    WHEN 'sending' THEN will_be IN ('made', 'refused', 'unknown', 'waiting', 'held')
    WHEN 'unknown' THEN will_be IN ('made', 'not_made', 'held', 'waiting')
    WHEN 'held' THEN will_be = 'made'
                     OR CASE WHEN was_sent THEN will_be IN ('unknown', 'not_made')
                             ELSE will_be IN ('waiting', 'requested', 'withdrawn') END
    ELSE false END
$$;

-- What was asked for stays, ends stay ends, and nothing moves but as it may.
CREATE FUNCTION keep_ended_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing text[] := '{lease_until,fence,attempts}';
BEGIN
  IF (NEW.id, NEW.request_id, NEW.charge_id, NEW.amount_cents, NEW.mark, NEW.retry_of)
     IS DISTINCT FROM (OLD.id, OLD.request_id, OLD.charge_id, OLD.amount_cents, OLD.mark, OLD.retry_of) THEN
    RAISE EXCEPTION 'refund % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF refund_has_ended(OLD.state) THEN
    IF OLD.state = 'made' AND OLD.undone_at IS NULL THEN changing := changing || 'undone_at'::text; END IF;
    IF OLD.closed_at IS NULL THEN changing := changing || '{closed_at,closed_note}'; END IF;
    IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing THEN
      RAISE EXCEPTION 'refund % is % for good', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF NEW.state <> OLD.state AND NOT refund_may_move(OLD.state, NEW.state, OLD.sent_at IS NOT NULL) THEN
    RAISE EXCEPTION 'refund % does not go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'restrict_violation';
  ELSIF NEW.state = 'waiting' AND EXISTS (
          SELECT FROM refund_request WHERE id = NEW.request_id AND needs_approval AND approved_at IS NULL) THEN
    RAISE EXCEPTION 'refund % is not approved', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_ended_refund BEFORE UPDATE ON refund FOR EACH ROW EXECUTE FUNCTION keep_ended_refund();
CREATE TRIGGER refunds_stay BEFORE DELETE ON refund FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_lines_stay BEFORE UPDATE OR DELETE ON refund_line
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A request is approved once, and nothing else of it changes.
CREATE FUNCTION keep_refund_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  approval CONSTANT text[] := '{approved_by,approved_at}';
BEGIN
  IF OLD.approved_at IS NOT NULL OR to_jsonb(NEW) - approval IS DISTINCT FROM to_jsonb(OLD) - approval THEN
    RAISE EXCEPTION 'request % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_refund_request BEFORE UPDATE ON refund_request
  FOR EACH ROW EXECUTE FUNCTION keep_refund_request();
CREATE TRIGGER refund_requests_stay BEFORE DELETE ON refund_request FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What the provider showed stays; it may be voided there, and it belongs to one refund for good.
CREATE FUNCTION keep_seen_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing CONSTANT text[] := '{type,refund_id}';
BEGIN
  IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing
     OR (OLD.refund_id IS NOT NULL AND NEW.refund_id IS DISTINCT FROM OLD.refund_id) THEN
    RAISE EXCEPTION 'what the provider showed of % stays', OLD.transaction_key USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_seen_refund BEFORE UPDATE ON seen_refund FOR EACH ROW EXECUTE FUNCTION keep_seen_refund();
CREATE TRIGGER seen_refunds_stay BEFORE DELETE ON seen_refund FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.outcome IS NOT NULL
     OR (NEW.id, NEW.charge_id, NEW.amount_cents, NEW.opened_on, NEW.created_at)
        IS DISTINCT FROM (OLD.id, OLD.charge_id, OLD.amount_cents, OLD.opened_on, OLD.created_at) THEN
    RAISE EXCEPTION 'dispute % stays as it is', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_dispute BEFORE UPDATE ON dispute FOR EACH ROW EXECUTE FUNCTION keep_dispute();
CREATE TRIGGER disputes_stay BEFORE DELETE ON dispute FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What an office says of an invoice of which something was credited, and what was: null where nothing ever was.
ALTER TABLE invoice
  ADD COLUMN office_amount_cents bigint,
  ADD COLUMN office_tax_cents bigint,
  ADD COLUMN credited_cents bigint,
  ADD COLUMN credited_tax_cents bigint,
  ADD COLUMN credit_basis_cents bigint,
  ADD COLUMN credit_tax_basis_cents bigint;

-- The office may repeat the amount from before a credit, or take the credit off itself: both come to the same. What it
-- asks beyond the one, or takes off beyond the other, counts in full.
CREATE FUNCTION credited_amount(office bigint, basis bigint, credited bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT greatest(0, least(office, basis - credited), office - credited) $$;

-- A credit survives the office's next file. Both come before raise_invoice_version, by their names.
CREATE FUNCTION keep_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_ARGV[0] = 'office' THEN
    NEW.office_amount_cents := NEW.amount_cents;
    NEW.office_tax_cents := NEW.tax_cents;
  END IF;
  NEW.amount_cents := credited_amount(NEW.office_amount_cents, NEW.credit_basis_cents, NEW.credited_cents);
  NEW.tax_cents := least(NEW.amount_cents,
    credited_amount(NEW.office_tax_cents, NEW.credit_tax_basis_cents, NEW.credited_tax_cents));
  RETURN NEW;
END $$;
CREATE TRIGGER keep_credit BEFORE UPDATE OF amount_cents, tax_cents ON invoice
  FOR EACH ROW WHEN (NEW.credited_cents IS NOT NULL) EXECUTE FUNCTION keep_credit('office');
CREATE TRIGGER keep_credit_of_refund BEFORE UPDATE OF credited_cents ON invoice
  FOR EACH ROW WHEN (NEW.credited_cents IS NOT NULL) EXECUTE FUNCTION keep_credit('refund');

-- Books a refund when it is made, and books it back when the provider took it back. As the owner: what was paid is
-- nobody else's to write. In the order of their ids, as payments lock invoices.
CREATE FUNCTION book_refunds() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  is_undone CONSTANT boolean := NEW.undone_at IS NOT NULL;
  sign CONSTANT integer := CASE WHEN NEW.undone_at IS NULL THEN 1 ELSE -1 END;
  line refund_line;
BEGIN
  PERFORM FROM invoice WHERE id IN (SELECT invoice_id FROM refund_line WHERE refund_id = NEW.id) ORDER BY id FOR UPDATE;
  FOR line IN SELECT * FROM refund_line WHERE refund_id = NEW.id ORDER BY invoice_id LOOP
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT line.charge_id, line.invoice_id, part.account,
           CASE WHEN sign * part.debit_cents > 0 THEN 'debit' ELSE 'credit' END, abs(part.debit_cents),
           CASE WHEN is_undone THEN 'refund-undone:' ELSE 'refund:' END || NEW.id
      FROM (VALUES
        ('card', -(line.invoice_cents + line.tax_cents + line.services_cents + line.services_tax_cents + line.tip_cents)),
        (CASE line.effect WHEN 'credited' THEN 'credits' ELSE 'receivable' END, line.invoice_cents + line.tax_cents),
        ('services', line.services_cents),
        ('services-tax', line.services_tax_cents),
        ('tips', line.tip_cents)) AS part (account, debit_cents)
     WHERE part.debit_cents <> 0;
    CONTINUE WHEN line.invoice_cents + line.tax_cents = 0;
    IF line.effect = 'due-again' THEN
      UPDATE invoice SET paid_cents = paid_cents - sign * (line.invoice_cents + line.tax_cents),
                         paid_tax_cents = paid_tax_cents - sign * line.tax_cents
       WHERE id = line.invoice_id;
    ELSIF is_undone THEN
      UPDATE invoice SET paid_cents = paid_cents + line.invoice_cents + line.tax_cents,
                         paid_tax_cents = paid_tax_cents + line.tax_cents,
                         credited_cents = greatest(0, office_amount_cents - amount_cents - line.invoice_cents - line.tax_cents),
                         credited_tax_cents = greatest(0, office_tax_cents - tax_cents - line.tax_cents)
       WHERE id = line.invoice_id;
    ELSE
      UPDATE invoice SET paid_cents = paid_cents - line.invoice_cents - line.tax_cents,
                         paid_tax_cents = paid_tax_cents - line.tax_cents,
                         office_amount_cents = coalesce(office_amount_cents, amount_cents),
                         office_tax_cents = coalesce(office_tax_cents, tax_cents),
                         credit_basis_cents = coalesce(office_amount_cents, amount_cents),
                         credit_tax_basis_cents = coalesce(office_tax_cents, tax_cents),
                         credited_cents = coalesce(office_amount_cents - amount_cents, 0)
                                          + least(line.invoice_cents + line.tax_cents, amount_cents),
                         credited_tax_cents = coalesce(office_tax_cents - tax_cents, 0) + least(line.tax_cents, tax_cents)
       WHERE id = line.invoice_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER book_refunds AFTER UPDATE OF state, undone_at ON refund FOR EACH ROW
  WHEN (NEW.state = 'made' AND (OLD.state <> 'made' OR (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL)))
  EXECUTE FUNCTION book_refunds();

-- What is left of what payers took off an invoice: no cash, so never received too much.
CREATE FUNCTION credits_left(of_invoice bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
SELECT coalesce(sum(greatest(0, -(a.services_cents + a.services_tax_cents - coalesce(taken.cents, 0)))), 0)::bigint
  FROM charge_allocation a
  JOIN charge c ON c.id = a.charge_id AND charge_counts(c.state)
  LEFT JOIN LATERAL (
    SELECT sum(l.services_cents + l.services_tax_cents) AS cents
      FROM refund_line l JOIN refund r ON r.id = l.refund_id
     WHERE l.charge_id = a.charge_id AND l.invoice_id = a.invoice_id AND r.state = 'made' AND r.undone_at IS NULL
  ) AS taken ON true
 WHERE a.invoice_id = of_invoice AND a.services_cents < 0
$$;

-- What an office has received too much; credits are looked up only where there is more than the amount.
CREATE FUNCTION overpaid_cash(i invoice) RETURNS bigint LANGUAGE sql STABLE AS $$
SELECT CASE WHEN i.paid_cents + i.paid_elsewhere_cents > i.amount_cents
            THEN greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - credits_left(i.id))
            ELSE 0 END
$$;

-- Whose refund a mail tells of.
ALTER TABLE outgoing_mail ADD COLUMN refund_id uuid REFERENCES refund;
CREATE INDEX outgoing_mail_by_refund ON outgoing_mail (refund_id) WHERE refund_id IS NOT NULL;

-- What is not true of the refunds of these payments.
CREATE FUNCTION broken_refunds(of_intents uuid[]) RETURNS TABLE (rule text, subject text)
LANGUAGE sql STABLE AS $$
WITH own AS MATERIALIZED (
  SELECT r.*, c.amount_cents AS charge_cents, c.captured_at, q.created_at AS requested_at, q.needs_approval, q.approved_at,
         q.approved_by, q.actor
    FROM unnest(of_intents) AS wanted (id)
    JOIN refund_request q ON q.intent_id = wanted.id
    JOIN refund r ON r.request_id = q.id
    JOIN charge c ON c.id = r.charge_id
)
SELECT 'RA refunds stay within their charge', concat('charge ', own.charge_id)
  FROM own WHERE refund_reserves(own.state, own.undone_at)
 GROUP BY own.charge_id, own.charge_cents
HAVING sum(own.amount_cents) > own.charge_cents OR EXISTS (SELECT FROM broken_reserves(own.charge_id))
UNION ALL
SELECT 'RA a refund is the sum of its lines', concat('refund ', own.id)
  FROM own
 WHERE own.amount_cents IS DISTINCT FROM (
   SELECT sum(l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents)
     FROM refund_line l WHERE l.refund_id = own.id)
UNION ALL
SELECT 'RC one refund of a charge is on its way', concat('charge ', charge_id)
  FROM own WHERE state IN ('sending', 'unknown') OR (state = 'held' AND sent_at IS NOT NULL)
 GROUP BY charge_id HAVING count(*) > 1
UNION ALL
SELECT 'RD what is made is booked, and nothing else', concat('refund ', own.id, ' invoice ', l.invoice_id)
  FROM own
  JOIN refund_line l ON l.refund_id = own.id
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END), 0) AS difference_cents,
          coalesce(sum(CASE direction WHEN 'credit' THEN amount_cents ELSE -amount_cents END)
            FILTER (WHERE account = 'card'), 0) AS card_cents,
          coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
            FILTER (WHERE account = CASE l.effect WHEN 'credited' THEN 'credits' ELSE 'receivable' END), 0) AS due_cents,
          coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
            FILTER (WHERE account = 'services'), 0) AS services_cents,
          coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
            FILTER (WHERE account = 'services-tax'), 0) AS services_tax_cents,
          coalesce(sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
            FILTER (WHERE account = 'tips'), 0) AS tip_cents
     FROM ledger_entry e
    WHERE e.charge_id = l.charge_id AND e.invoice_id = l.invoice_id
      AND e.reason IN ('refund:' || own.id, 'refund-undone:' || own.id)) AS booked
 CROSS JOIN LATERAL (SELECT (own.state = 'made' AND own.undone_at IS NULL)::integer AS counts) AS factor
 WHERE (booked.difference_cents, booked.card_cents, booked.due_cents, booked.services_cents,
        booked.services_tax_cents, booked.tip_cents)
       IS DISTINCT FROM
       (0::numeric, counts * (l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents)::numeric,
        counts * (l.invoice_cents + l.tax_cents)::numeric, counts * l.services_cents::numeric,
        counts * l.services_tax_cents::numeric, counts * l.tip_cents::numeric)
UNION ALL
SELECT 'RD entries of a refund have a refund', concat('charge ', e.charge_id, ' ', e.reason)
  FROM unnest(of_intents) AS wanted (id)
  JOIN charge c ON c.intent_id = wanted.id
  JOIN ledger_entry e ON e.charge_id = c.id AND starts_with(e.reason, 'refund')
 WHERE NOT EXISTS (SELECT FROM refund r JOIN refund_line l ON l.refund_id = r.id
                    WHERE r.charge_id = e.charge_id AND l.invoice_id = e.invoice_id AND r.state = 'made'
                      AND (e.reason = 'refund:' || r.id
                           OR e.reason = 'refund-undone:' || r.id AND r.undone_at IS NOT NULL))
UNION ALL
SELECT 'RE "refunded" is told once, of what is made', concat('refund ', own.id)
  FROM own JOIN outgoing_mail m ON m.refund_id = own.id AND m.kind = 'refund-made'
 GROUP BY own.id, own.state HAVING own.state <> 'made' OR count(*) > 1
UNION ALL
SELECT 'RF nothing is sent too early', concat('refund ', own.id)
  FROM own
 WHERE own.sent_at IS NOT NULL
   AND (own.captured_at IS NULL OR own.captured_at > own.sent_at
        OR (own.needs_approval
            AND (own.approved_at IS NULL OR own.approved_at > own.sent_at OR own.approved_by = own.actor))
        OR EXISTS (SELECT FROM dispute d
                    WHERE d.charge_id = own.charge_id AND d.created_at < own.sent_at
                      AND (d.outcome IS DISTINCT FROM 'won' OR d.ended_at > own.sent_at)))
UNION ALL
SELECT 'RG no refund stays unfinished unseen', concat('refund ', own.id)
  FROM own
 WHERE own.review_since IS NULL
   AND CASE own.state
         WHEN 'sending' THEN own.deadline_at < (SELECT engine_now()) - interval '5 minutes'
         WHEN 'unknown' THEN own.deadline_at < (SELECT engine_now()) - interval '26 hours'
         WHEN 'waiting' THEN coalesce(own.approved_at, own.requested_at) < (SELECT engine_now()) - interval '50 hours'
         WHEN 'requested' THEN own.requested_at < (SELECT engine_now()) - interval '15 days'
         WHEN 'held' THEN true
         ELSE false END
$$;
-- What is not true of what is due on these invoices.
CREATE FUNCTION broken_balances(of_invoices bigint[]) RETURNS TABLE (rule text, subject text)
LANGUAGE sql STABLE AS $$
WITH owed AS MATERIALIZED (
  SELECT i.* FROM unnest(of_invoices) AS wanted (id) JOIN invoice i ON i.id = wanted.id
)
SELECT 'I9 the balance is what is left', concat('invoice ', i.id)
  FROM owed i
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(part.invoice_cents + part.tax_cents), 0) AS due_cents, coalesce(sum(part.tax_cents), 0) AS tax_cents
     FROM (SELECT a.invoice_cents, a.tax_cents
             FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
            WHERE a.invoice_id = i.id AND charge_counts(c.state)
            UNION ALL
           SELECT -l.invoice_cents, -l.tax_cents
             FROM refund_line l JOIN refund r ON r.id = l.refund_id
            WHERE l.invoice_id = i.id AND r.state = 'made' AND r.undone_at IS NULL) AS part) AS paid
 WHERE i.paid_cents <> paid.due_cents OR i.paid_tax_cents <> paid.tax_cents
    OR i.balance_cents <> greatest(0, i.amount_cents - paid.due_cents - i.paid_elsewhere_cents)
UNION ALL
SELECT 'RH amount and tax follow the credits', concat('invoice ', i.id)
  FROM owed i
 WHERE i.credited_cents IS NOT NULL
   AND (i.amount_cents, i.tax_cents) IS DISTINCT FROM (
     credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
     least(credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
           credited_amount(i.office_tax_cents, i.credit_tax_basis_cents, i.credited_tax_cents)))
$$;
CREATE OR REPLACE VIEW invariant_violations AS
SELECT rule, subject
  FROM broken_rules((SELECT coalesce(array_agg(id), '{}') FROM payment_intent),
                    (SELECT coalesce(array_agg(id), '{}') FROM invoice))
UNION ALL
SELECT rule, subject FROM broken_shares((SELECT coalesce(array_agg(id), '{}') FROM payment_intent))
UNION ALL
SELECT rule, subject FROM broken_refunds((SELECT coalesce(array_agg(id), '{}') FROM payment_intent))
UNION ALL
SELECT rule, subject FROM broken_balances((SELECT coalesce(array_agg(id), '{}') FROM invoice));

-- As before; balances have a function of their own by now, and entries of refunds rules of their own.
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
       FROM ledger_entry e
      WHERE e.charge_id = a.charge_id AND e.invoice_id = a.invoice_id AND NOT starts_with(e.reason, 'refund')) AS booked
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
