-- Named, so that who began a payment in the very moment of closing can be told what happened.
CREATE OR REPLACE FUNCTION refuse_closed_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for a closing that is under way.
  PERFORM FROM app_user WHERE id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % is closed', NEW.user_id USING ERRCODE = 'restrict_violation', CONSTRAINT = 'account_is_open';
  END IF;
  RETURN NEW;
END $$;
