-- The guards of a payment's commits ask less often, and one of them more.

-- Who writes an entry and names its franchise knows its place; for everybody else it is looked up.
CREATE OR REPLACE FUNCTION place_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.franchise_id IS NOT NULL THEN
    RETURN NEW;
  END IF;
  NEW.franchise_id := (SELECT franchise_id FROM invoice WHERE id = NEW.invoice_id);
  IF NEW.reason = 'payment' THEN
    NEW.created_at := coalesce((SELECT accepted_at FROM charge WHERE id = NEW.charge_id), NEW.created_at);
  END IF;
  RETURN NEW;
END $$;

-- Whoever books writes an entry and its counter entry in one statement, so all that it wrote is looked at at once: as a
-- trigger of each row, this was a query for each entry of a payment of ten, and of every import.
DROP TRIGGER entries_balance ON ledger_entry;
CREATE OR REPLACE FUNCTION check_entries_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced bigint;
BEGIN
  SELECT a.invoice_id INTO unbalanced FROM added a
   WHERE (SELECT sum(CASE e.direction WHEN 'debit' THEN e.amount_cents ELSE -e.amount_cents END)
            FROM ledger_entry e
           WHERE e.invoice_id = a.invoice_id AND e.charge_id IS NOT DISTINCT FROM a.charge_id) <> 0
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'debits and credits differ for invoice %', unbalanced USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_balance AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_entries_balance();

-- A payment is accepted with all of its charges, or not at all. That its COMMIT leaves behind its last statements rests on it.
CREATE OR REPLACE FUNCTION keep_decided_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'undecided' AND (
       NEW.state <> OLD.state
       OR (OLD.state <> 'accepted' AND (NEW.outcome, NEW.response_status, NEW.response_body)
                                       IS DISTINCT FROM (OLD.outcome, OLD.response_status, OLD.response_body))) THEN
    RAISE EXCEPTION 'payment % is % for good', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.kind, NEW.user_id, NEW.idem_scope, NEW.idem_key, NEW.request_hash)
     IS DISTINCT FROM (OLD.kind, OLD.user_id, OLD.idem_scope, OLD.idem_key, OLD.request_hash) THEN
    RAISE EXCEPTION 'payment % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.state = 'undecided' AND NEW.state = 'accepted'
     AND (SELECT bool_and(accepted_at IS NOT NULL) FROM charge WHERE intent_id = NEW.id) IS NOT TRUE THEN
    RAISE EXCEPTION 'payment % has charges that are not accepted', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
