-- What must hold whatever the code does: written once here, not once a caller.

-- The invoice's paid sums follow the state of its charges, in the same statement.
CREATE FUNCTION charge_counts(state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
$$ SELECT state IN ('accepted', 'reversing', 'captured') $$;

CREATE FUNCTION settle_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := charge_counts(NEW.state)::integer - charge_counts(OLD.state)::integer;
BEGIN
  IF sign <> 0 THEN
    UPDATE invoice i
       SET paid_cents = i.paid_cents + sign * (a.invoice_cents + a.tax_cents),
           paid_tax_cents = i.paid_tax_cents + sign * a.tax_cents
      FROM charge_allocation a
     WHERE a.charge_id = NEW.id AND i.id = a.invoice_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER settle_invoices AFTER UPDATE OF state ON charge FOR EACH ROW EXECUTE FUNCTION settle_invoices();

-- Ends stay ends.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER charges_stay BEFORE DELETE ON charge FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intents_stay BEFORE DELETE ON payment_intent FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER allocations_stay BEFORE UPDATE OR DELETE ON charge_allocation
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_terminal_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> OLD.state AND OLD.state IN ('captured', 'capture_failed', 'refused', 'released', 'absent') THEN
    RAISE EXCEPTION 'charge % is % for good', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.amount_cents, NEW.order_id, NEW.intent_id, NEW.merchant_account_id)
     IS DISTINCT FROM (OLD.amount_cents, OLD.order_id, OLD.intent_id, OLD.merchant_account_id) THEN
    RAISE EXCEPTION 'charge % keeps what was asked for', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_terminal_charge BEFORE UPDATE ON charge FOR EACH ROW EXECUTE FUNCTION keep_terminal_charge();

CREATE FUNCTION keep_merchant_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.franchise_id, NEW.public_key) IS DISTINCT FROM (OLD.id, OLD.franchise_id, OLD.public_key)
     OR (OLD.replaced_at IS NOT NULL AND NEW.replaced_at IS DISTINCT FROM OLD.replaced_at) THEN
    RAISE EXCEPTION 'merchant account % keeps its keys', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_merchant_account BEFORE UPDATE ON merchant_account
  FOR EACH ROW EXECUTE FUNCTION keep_merchant_account();
CREATE TRIGGER merchant_accounts_stay BEFORE DELETE ON merchant_account
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Checked when a transaction ends: an entry has its counter entry, and a charge is the sum of its allocations.
CREATE FUNCTION check_entries_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM ledger_entry
     WHERE invoice_id = NEW.invoice_id AND charge_id IS NOT DISTINCT FROM NEW.charge_id
    HAVING sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END) <> 0
  ) THEN
    RAISE EXCEPTION 'debits and credits differ for invoice %', NEW.invoice_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER entries_balance AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_entries_balance();

CREATE FUNCTION check_charge_is_allocated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT kind FROM payment_intent WHERE id = NEW.intent_id) <> 'card'
     AND NEW.amount_cents IS DISTINCT FROM (
       SELECT sum(invoice_cents + tax_cents + services_cents + services_tax_cents + tip_cents)
         FROM charge_allocation WHERE charge_id = NEW.id)
  THEN
    RAISE EXCEPTION 'charge % is not the sum of its allocations', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER charge_is_allocated AFTER INSERT ON charge DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_charge_is_allocated();
