-- What a refund waits for, as people read it; and that a person has let it make something due that was not said to.
ALTER TABLE refund
  ADD COLUMN waits_for text CHECK (waits_for IN ('settlement', 'keys', 'older-list')),
  ADD COLUMN may_make_due boolean NOT NULL DEFAULT false,
  ADD CHECK (waits_for IS NULL OR state = 'waiting');

-- Those that nobody has approved yet, the oldest first.
CREATE INDEX refund_request_to_approve ON refund_request (created_at) WHERE needs_approval AND approved_at IS NULL;

-- As before; each refund's lines are summed by themselves, however many there are of others.
CREATE OR REPLACE FUNCTION check_refund_is_its_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_request CONSTANT uuid := CASE TG_TABLE_NAME
    WHEN 'refund_request' THEN (to_jsonb(NEW)->>'id')::uuid
    WHEN 'refund' THEN (to_jsonb(NEW)->>'request_id')::uuid
    ELSE (SELECT request_id FROM refund WHERE id = (to_jsonb(NEW)->>'refund_id')::uuid) END;
BEGIN
  IF EXISTS (
    SELECT FROM refund r
     WHERE r.request_id = of_request AND r.amount_cents IS DISTINCT FROM (
       SELECT sum(l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents)
         FROM refund_line l WHERE l.refund_id = r.id))
     OR (SELECT total_cents FROM refund_request WHERE id = of_request)
        IS DISTINCT FROM (SELECT sum(amount_cents) FROM refund WHERE request_id = of_request) THEN
    RAISE EXCEPTION 'request % is not the sum of its lines', of_request USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- What has not ended, however much has.
CREATE INDEX refund_unfinished ON refund (charge_id)
  WHERE state IN ('requested', 'waiting', 'sending', 'unknown', 'held');
