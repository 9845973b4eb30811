-- A payment keeps the instant at which it was decided. A capture that failed later used to write its own over it: the payment then stood in no
-- year's list or statement of its payer, as they look for it in the year of its decision and show what was accepted then.

-- Few charges fail so, and an index has just those (charge_not_collected); a database that hasn't built it reads its charges once.
UPDATE payment_intent p SET decided_at = failed.accepted_at
  FROM (SELECT intent_id, min(accepted_at) AS accepted_at FROM charge WHERE state = 'capture_failed' GROUP BY intent_id) AS failed
 WHERE p.id = failed.intent_id AND p.state = 'accepted' AND p.decided_at > failed.accepted_at;

-- As before; and for the release before, which writes the instant with every outcome.
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
  IF OLD.state <> 'undecided' THEN
    NEW.decided_at := coalesce(OLD.decided_at, NEW.decided_at);
  END IF;
  RETURN NEW;
END $$;
