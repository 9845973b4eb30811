-- A charge that isn't captured may still end as not collected. That makes its invoices due again by itself, and a refund of it
-- would do so a second time.
CREATE FUNCTION refund_may_be_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT state FROM charge WHERE id = NEW.charge_id) <> 'captured' THEN
    RAISE EXCEPTION 'refund % is of a charge that was not collected', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refund_may_be_made BEFORE UPDATE OF state ON refund
  FOR EACH ROW WHEN (NEW.state = 'made' AND OLD.state <> 'made') EXECUTE FUNCTION refund_may_be_made();
