-- As before, but how long a void may still land can be shortened of what has ended, too: where the engine's clock was ahead and is set
-- back, it would keep later refunds of its charge waiting for as long.
CREATE OR REPLACE FUNCTION keep_ended_refund() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF NEW.void_until < OLD.void_until THEN changing := changing || 'void_until'::text; END IF;
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
