-- A refund that was taken back lets go of the provider's transaction. If that is made live again there, it is nobody's: it bars
-- the next refund of its charge, and that one may adopt it.
CREATE OR REPLACE FUNCTION keep_seen_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing CONSTANT text[] := '{type,refund_id}';
BEGIN
  IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing
     OR (OLD.refund_id IS NOT NULL AND NEW.refund_id IS DISTINCT FROM OLD.refund_id
         AND NOT (NEW.refund_id IS NULL
                  AND EXISTS (SELECT FROM refund WHERE id = OLD.refund_id AND undone_at IS NOT NULL))) THEN
    RAISE EXCEPTION 'what the provider showed of % stays', OLD.transaction_key USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Voided: the provider's record has just said so, and lists may not reach back to it again.
CREATE FUNCTION let_go_of_seen_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE seen_refund SET refund_id = NULL, type = 'Z' WHERE refund_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER let_go_of_seen_refund AFTER UPDATE OF undone_at ON refund FOR EACH ROW
  WHEN (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL) EXECUTE FUNCTION let_go_of_seen_refund();

-- Of those taken back before, the last list tells whether they are live again.
UPDATE seen_refund s SET refund_id = NULL FROM refund r WHERE r.id = s.refund_id AND r.undone_at IS NOT NULL;

DROP INDEX one_refund_a_transaction;
CREATE UNIQUE INDEX one_refund_a_transaction ON refund (transaction_key)
  WHERE method = 'refund' AND transaction_key IS NOT NULL AND undone_at IS NULL;
CREATE INDEX refund_by_transaction ON refund (transaction_key) WHERE method = 'refund' AND transaction_key IS NOT NULL;
