-- What offices read of payments: what each paid to each franchise, and when the ledger's entries count.

-- What one charge paid, or tried to pay, to one franchise: written with the decision, and never after it. What became of
-- the charge since stands in the charge.
CREATE TABLE payment_share (
  charge_id uuid NOT NULL REFERENCES charge,
  franchise_id integer NOT NULL REFERENCES franchise,
  intent_id uuid NOT NULL REFERENCES payment_intent,
  at timestamptz NOT NULL, -- accepted, or else decided
  outcome text NOT NULL CHECK (outcome IN ('accepted', 'declined', 'abandoned')),
  amount_cents bigint NOT NULL,
  tip_cents bigint NOT NULL,
  services_cents bigint NOT NULL,
  brand text,
  last_four text,
  PRIMARY KEY (charge_id, franchise_id)
);
-- Ends on the charge's id, so that two of one moment have an order.
CREATE INDEX payment_share_by_franchise ON payment_share (franchise_id, at DESC, charge_id);
CREATE INDEX payment_share_of_all ON payment_share (at DESC, charge_id, franchise_id);
CREATE INDEX payment_share_by_amount ON payment_share (franchise_id, amount_cents, at DESC, charge_id);
CREATE INDEX payment_share_by_card ON payment_share (last_four, at DESC);
CREATE INDEX payment_share_by_intent ON payment_share (intent_id);
CREATE INDEX payment_share_with_tip ON payment_share (franchise_id, at DESC) WHERE tip_cents > 0;
CREATE TRIGGER payment_shares_stay BEFORE UPDATE OR DELETE ON payment_share
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- As the owner: the portal's role may not write them itself. In PL/pgSQL, which plans it once a connection.
CREATE FUNCTION share_payments(of_intents uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payment_share (charge_id, franchise_id, intent_id, at, outcome, amount_cents, tip_cents, services_cents,
                             brand, last_four)
  SELECT c.id, i.franchise_id, p.id, coalesce(c.accepted_at, p.decided_at, p.created_at), p.state,
         sum(a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents),
         sum(a.tip_cents), sum(a.services_cents), c.card_brand, substring(c.masked_card FROM '[0-9]{4}$')
    FROM payment_intent p
    JOIN charge c ON c.intent_id = p.id
    JOIN charge_allocation a ON a.charge_id = c.id
    JOIN invoice i ON i.id = a.invoice_id
   WHERE p.id = ANY(of_intents) AND p.state <> 'undecided' AND p.kind <> 'card'
   GROUP BY p.id, c.id, i.franchise_id
  ON CONFLICT DO NOTHING;
END $$;
REVOKE EXECUTE ON FUNCTION share_payments FROM PUBLIC;

CREATE FUNCTION share_decided_payment() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM share_payments(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER share_decided_payment AFTER UPDATE OF state ON payment_intent
  FOR EACH ROW WHEN (OLD.state = 'undecided' AND NEW.state <> 'undecided' AND NEW.kind <> 'card')
  EXECUTE FUNCTION share_decided_payment();

-- Whose entry it is. Null: an older one, which the task fill-shares comes to. Not a reference, which would lock the
-- franchise's row with every payment.
ALTER TABLE ledger_entry ADD COLUMN franchise_id integer;
ALTER TABLE ledger_entry ALTER COLUMN created_at SET DEFAULT engine_now();

-- A payment's entries count from the instant of its acceptance, as its shares do, so that they never fall on two days.
CREATE FUNCTION place_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.franchise_id := (SELECT franchise_id FROM invoice WHERE id = NEW.invoice_id);
  IF NEW.reason = 'payment' THEN
    NEW.created_at := coalesce((SELECT accepted_at FROM charge WHERE id = NEW.charge_id), NEW.created_at);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER place_ledger_entry BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION place_ledger_entry();

-- Entries stay as they are, but that one without a franchise is given its own, once.
CREATE FUNCTION keep_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  placed CONSTANT text[] := '{franchise_id,created_at}';
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.franchise_id IS NULL AND NEW.franchise_id IS NOT NULL
     AND to_jsonb(NEW) - placed = to_jsonb(OLD) - placed
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER ledger_is_append_only ON ledger_entry;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION keep_ledger_entry();

-- How far older payments and entries have been worked through. Null: to the end.
CREATE TABLE share_filling (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Payments made before this have no shares yet: the newest come first.
  payments_before timestamptz,
  payments_before_id uuid,
  -- Entries up to this one have their franchise.
  entries_after bigint
);
INSERT INTO share_filling (payments_before, payments_before_id, entries_after)
SELECT CASE WHEN EXISTS (SELECT FROM payment_intent) THEN 'infinity'::timestamptz END,
       CASE WHEN EXISTS (SELECT FROM payment_intent) THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid END,
       CASE WHEN EXISTS (SELECT FROM ledger_entry) THEN 0 END;

-- The next page of each. Returns how many payments and entries were looked at; nothing is left where there are none.
CREATE FUNCTION fill_shares(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  place share_filling;
  ids uuid[];
  last_entry bigint;
  looked_at integer := 0;
BEGIN
  SELECT * INTO place FROM share_filling FOR UPDATE;
  IF place.payments_before IS NOT NULL THEN
    ids := ARRAY(SELECT id FROM payment_intent
                  WHERE (created_at, id) < (place.payments_before, place.payments_before_id)
                  ORDER BY created_at DESC, id DESC LIMIT most);
    PERFORM share_payments(ids);
    UPDATE share_filling
       SET (payments_before, payments_before_id) =
           (SELECT created_at, id FROM payment_intent
             WHERE id = ids[cardinality(ids)] AND cardinality(ids) = most);
    looked_at := cardinality(ids);
  END IF;
  IF place.entries_after IS NOT NULL THEN
    last_entry := (SELECT max(id) FROM (SELECT id FROM ledger_entry WHERE id > place.entries_after
                                         ORDER BY id LIMIT most) AS page);
    UPDATE ledger_entry e
       SET franchise_id = i.franchise_id,
           created_at = CASE e.reason WHEN 'payment' THEN coalesce(c.accepted_at, e.created_at) ELSE e.created_at END
      FROM ledger_entry own
      JOIN invoice i ON i.id = own.invoice_id
      LEFT JOIN charge c ON c.id = own.charge_id
     WHERE own.id > place.entries_after AND own.id <= last_entry AND own.franchise_id IS NULL AND e.id = own.id;
    UPDATE share_filling SET entries_after = last_entry;
    looked_at := looked_at + coalesce(last_entry - place.entries_after, 0);
  END IF;
  RETURN looked_at;
END $$;
REVOKE EXECUTE ON FUNCTION fill_shares FROM PUBLIC;
INSERT INTO background_lane (name) VALUES ('fill-shares');

-- What is not true of what offices read of these payments.
CREATE FUNCTION broken_shares(of_intents uuid[]) RETURNS TABLE (rule text, subject text)
LANGUAGE sql STABLE AS $$
WITH paid AS MATERIALIZED (
  SELECT c.id AS charge_id, i.franchise_id, p.state AS outcome, coalesce(c.accepted_at, p.decided_at, p.created_at) AS at,
         sum(a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents) AS amount_cents,
         sum(a.tip_cents) AS tip_cents, sum(a.services_cents) AS services_cents,
         (p.created_at, p.id) < (SELECT payments_before, payments_before_id FROM share_filling) AS is_waiting,
         p.kind <> 'card' AND p.state <> 'undecided' AS is_shared
    FROM unnest(of_intents) AS wanted (id)
    JOIN payment_intent p ON p.id = wanted.id
    JOIN charge c ON c.intent_id = p.id
    JOIN charge_allocation a ON a.charge_id = c.id
    JOIN invoice i ON i.id = a.invoice_id
   GROUP BY p.id, c.id, i.franchise_id
)
SELECT 'PS1 a share is the sum of its allocations', concat('charge ', paid.charge_id, ' franchise ', paid.franchise_id)
  FROM paid
  LEFT JOIN LATERAL (
    SELECT * FROM payment_share WHERE charge_id = paid.charge_id AND franchise_id = paid.franchise_id OFFSET 0) AS s ON true
 WHERE CASE WHEN s.charge_id IS NULL THEN paid.is_shared AND paid.is_waiting IS NOT TRUE
            ELSE (s.at, s.outcome, s.amount_cents, s.tip_cents, s.services_cents)
                 IS DISTINCT FROM (paid.at, paid.outcome, paid.amount_cents, paid.tip_cents, paid.services_cents) END
UNION ALL
SELECT 'PS1 a share has an invoice of its franchise', concat('charge ', s.charge_id, ' franchise ', s.franchise_id)
  FROM unnest(of_intents) AS wanted (id)
 CROSS JOIN LATERAL (SELECT * FROM payment_share WHERE intent_id = wanted.id OFFSET 0) AS s
 WHERE NOT EXISTS (SELECT FROM paid WHERE paid.charge_id = s.charge_id AND paid.franchise_id = s.franchise_id)
UNION ALL
-- What the Totals of a day say came in, and what the ledger says was debited to cards on it.
SELECT 'PS1 an accepted share is what the ledger debited to the card then',
       concat('charge ', paid.charge_id, ' franchise ', paid.franchise_id)
  FROM paid
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(e.amount_cents) FILTER (WHERE e.created_at = paid.at AND e.franchise_id = paid.franchise_id), 0)
            AS placed_cents,
          bool_or(e.franchise_id IS NULL) AS is_waiting
     FROM charge_allocation a
     JOIN ledger_entry e ON e.charge_id = a.charge_id AND e.invoice_id = a.invoice_id
     JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = paid.franchise_id
    WHERE a.charge_id = paid.charge_id AND e.account = 'card' AND e.direction = 'debit' AND e.reason = 'payment') AS booked
 WHERE booked.is_waiting IS NOT TRUE
   AND booked.placed_cents <> CASE paid.outcome WHEN 'accepted' THEN paid.amount_cents ELSE 0 END
$$;
CREATE OR REPLACE VIEW invariant_violations AS
SELECT rule, subject
  FROM broken_rules((SELECT coalesce(array_agg(id), '{}') FROM payment_intent),
                    (SELECT coalesce(array_agg(id), '{}') FROM invoice))
UNION ALL
SELECT rule, subject FROM broken_shares((SELECT coalesce(array_agg(id), '{}') FROM payment_intent));

-- What people of an office wrote about a payment, an invoice or a customer.
CREATE TABLE office_note (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  franchise_id integer NOT NULL REFERENCES franchise,
  subject text NOT NULL CHECK (subject IN ('payment', 'invoice', 'customer')),
  subject_id text NOT NULL,
  staff_id uuid REFERENCES staff,
  api_key_id uuid REFERENCES office_api_key,
  at timestamptz NOT NULL DEFAULT engine_now(),
  text text NOT NULL,
  CHECK (num_nonnulls(staff_id, api_key_id) = 1)
);
CREATE INDEX office_note_by_subject ON office_note (subject, subject_id, at);
CREATE TRIGGER notes_stay BEFORE UPDATE OR DELETE ON office_note FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Who looked at a credit that a payer took.
CREATE TABLE credit_look (
  charge_id uuid NOT NULL REFERENCES charge,
  invoice_id bigint NOT NULL REFERENCES invoice,
  actor_id uuid NOT NULL, -- staff or key
  at timestamptz NOT NULL DEFAULT engine_now(),
  note text,
  PRIMARY KEY (charge_id, invoice_id)
);
CREATE TRIGGER credit_looks_stay BEFORE UPDATE OR DELETE ON credit_look FOR EACH ROW EXECUTE FUNCTION refuse_change();
