-- How a payment ended is kept as a code with its facts; status and words are made where it is answered.
ALTER TABLE payment_intent ADD COLUMN outcome jsonb;

-- Versions before this one run beside it, and replay these two columns; the rules I15 and I18 read them too. They get the
-- truth in fewer words, and go when no such version is left.
CREATE FUNCTION tell_as_before() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  code CONSTANT text := NEW.outcome ->> 'code';
  amount CONSTANT numeric := (NEW.outcome ->> 'amountCents')::numeric / 100;
  not_charged CONSTANT text := 'Your card was not charged.';
  told text := not_charged || ' Please try again.';
BEGIN
  CASE code
    WHEN 'paid' THEN
      NEW.response_status := 200;
      NEW.response_body := CASE NEW.kind
        WHEN 'guest' THEN jsonb_build_object('amount', amount, 'reference', (
          SELECT string_agg(each, ', ') FROM jsonb_array_elements_text(NEW.outcome -> 'references') AS each))
        ELSE jsonb_build_object('amount', amount, 'references', NEW.outcome -> 'references') END;
    WHEN 'card-added' THEN
      NEW.response_status := 200;
      NEW.response_body := '{}';
    WHEN 'capture-failed' THEN
      told := 'Your payment could not be collected from your card.';
      NEW.response_status := 409;
      NEW.response_body := jsonb_build_object('title', 'Conflict', 'status', 409, 'detail', told, 'errors',
        jsonb_build_array(jsonb_build_object('code', 'CaptureFailed', 'description', told)));
    ELSE
      NEW.response_status := 503;
      NEW.response_body := jsonb_build_object('title', 'Service Unavailable', 'status', 503, 'detail', told, 'errors',
        jsonb_build_array(jsonb_build_object('code', 'NotCharged', 'description', not_charged),
                          jsonb_build_object('code', 'TimeUp', 'description', told)));
  END CASE;
  RETURN NEW;
END $$;
CREATE TRIGGER tell_as_before BEFORE UPDATE OF outcome ON payment_intent
  FOR EACH ROW WHEN (NEW.outcome IS NOT NULL) EXECUTE FUNCTION tell_as_before();

-- As before; the outcome of an accepted payment may still be replaced: its capture can turn out to be impossible.
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
  RETURN NEW;
END $$;
