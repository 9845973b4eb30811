-- Payers look after their accounts themselves.

-- Words that a person knows a device by; what the browser said of itself is not kept.
ALTER TABLE session ADD device text NOT NULL DEFAULT 'Unknown browser' CHECK (length(device) <= 60);

-- A closed account is a row that payments point to, and says nothing of anybody.
ALTER TABLE app_user ADD closed_at timestamptz, ADD CONSTRAINT closed_is_empty CHECK (closed_at IS NULL OR
  (NOT active AND first_name = '' AND last_name = '' AND email = 'closed-' || id::text || '@invalid'));

-- A payment or a card that was asked for before an account was closed must not begin after it.
CREATE FUNCTION refuse_closed_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for a closing that is under way.
  PERFORM FROM app_user WHERE id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % is closed', NEW.user_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_closed_account BEFORE INSERT ON payment_intent
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_closed_account();
CREATE INDEX undecided_payment_by_user ON payment_intent (user_id) WHERE state = 'undecided' AND user_id IS NOT NULL;

CREATE TABLE email_change (
  id uuid PRIMARY KEY, -- the undo link is derived from it
  user_id uuid NOT NULL REFERENCES app_user,
  old_email text NOT NULL,
  new_email text NOT NULL CHECK (new_email = lower(btrim(new_email)) AND new_email <> old_email),
  confirm_hash bytea NOT NULL UNIQUE,
  asked_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  undone_at timestamptz
);
CREATE UNIQUE INDEX one_open_email_change ON email_change (user_id) WHERE num_nonnulls(confirmed_at, cancelled_at, undone_at) = 0;
CREATE INDEX email_change_by_user ON email_change (user_id);
CREATE INDEX email_change_by_old_email ON email_change (old_email) WHERE confirmed_at IS NOT NULL AND undone_at IS NULL;

-- A mail that must exist once; and when the address of a closed account's mail is taken out of it.
ALTER TABLE outgoing_mail ADD once_key text UNIQUE, ADD blank_at timestamptz;
CREATE INDEX outgoing_mail_to_blank ON outgoing_mail (blank_at) WHERE blank_at IS NOT NULL;

-- Accounts are waited for by the engine's clock, which only tests and a developer set ahead.
ALTER TABLE session ALTER COLUMN rotated_at SET DEFAULT engine_now(), ALTER COLUMN created_at SET DEFAULT engine_now();
