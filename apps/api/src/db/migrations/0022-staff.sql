-- The people of an office: who they are, how they sign in, what they may see, and what they did.

-- Staff. Whose account it is stands in app_user: type 1 for headquarters, type 3 for an office.
CREATE TABLE staff (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL UNIQUE REFERENCES app_user,
  role text NOT NULL CHECK (role IN ('admin', 'finance', 'support', 'owner', 'clerk', 'viewer')),
  state text NOT NULL CHECK (state IN ('invited', 'active', 'off')),
  webauthn_id bytea NOT NULL UNIQUE,
  shortcuts boolean NOT NULL DEFAULT true, -- whether / focuses the search
  invited_by uuid, -- staff or key
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  held_at timestamptz -- until somebody has confirmed them after a restore
);
CREATE TABLE staff_franchise (
  staff_id uuid NOT NULL REFERENCES staff,
  franchise_id integer NOT NULL REFERENCES franchise,
  PRIMARY KEY (staff_id, franchise_id)
);
CREATE INDEX staff_franchise_by_franchise ON staff_franchise (franchise_id);

-- Checked when a transaction ends: a role, its kind of account and its franchises fit each other.
CREATE FUNCTION require_fitting_staff(of_staff uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM staff s JOIN app_user u ON u.id = s.user_id
     WHERE s.id = of_staff
       AND (u.user_type <> CASE WHEN s.role IN ('admin', 'finance', 'support') THEN 1 ELSE 3 END
         OR (s.role IN ('admin', 'finance', 'support'))
            = EXISTS (SELECT FROM staff_franchise f WHERE f.staff_id = s.id)))
  THEN
    RAISE EXCEPTION 'role, account and franchises of staff % do not fit', of_staff
      USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_fits';
  END IF;
END $$;
CREATE FUNCTION check_staff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_fitting_staff(NEW.id);
  RETURN NULL;
END $$;
CREATE FUNCTION check_staff_franchise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_fitting_staff(coalesce(NEW.staff_id, OLD.staff_id));
  RETURN NULL;
END $$;
CREATE FUNCTION check_staff_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_fitting_staff(s.id) FROM staff s WHERE s.user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER staff_fits AFTER INSERT OR UPDATE ON staff
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_staff();
CREATE CONSTRAINT TRIGGER staff_fits AFTER INSERT OR UPDATE OR DELETE ON staff_franchise
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_staff_franchise();
CREATE CONSTRAINT TRIGGER staff_fits AFTER UPDATE OF user_type ON app_user
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.user_type IS DISTINCT FROM OLD.user_type)
  EXECUTE FUNCTION check_staff_user();

-- Where there was an admin, there is one. Two transactions that end the last two at once do so one after the other.
CREATE FUNCTION keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7302122); -- ADVISORY_LOCKS.admins
  IF NOT EXISTS (SELECT FROM staff WHERE role = 'admin' AND state = 'active') THEN
    RAISE EXCEPTION 'the last admin' USING ERRCODE = 'check_violation', CONSTRAINT = 'one_admin_remains';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER one_admin_remains AFTER UPDATE ON staff
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.state = 'active' AND (NEW.role <> 'admin' OR NEW.state <> 'active'))
  EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER staff_stay BEFORE DELETE ON staff FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE staff_factor (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  staff_id uuid NOT NULL REFERENCES staff,
  kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  confirmed_at timestamptz, -- null: an app that has not shown its first code
  last_used_at timestamptz,
  removed_at timestamptz,
  totp_secret text, -- sealed
  totp_last_step bigint,
  credential_id bytea UNIQUE,
  public_key bytea,
  sign_count bigint,
  transports text[],
  CHECK (CASE kind
           WHEN 'totp' THEN totp_secret IS NOT NULL AND totp_last_step IS NOT NULL
             AND num_nonnulls(credential_id, public_key, sign_count, transports) = 0
           ELSE num_nulls(confirmed_at, credential_id, public_key, sign_count, transports) = 0
             AND num_nonnulls(totp_secret, totp_last_step) = 0 END)
);
CREATE INDEX staff_factor_by_staff ON staff_factor (staff_id);
CREATE UNIQUE INDEX one_live_app ON staff_factor (staff_id)
  WHERE kind = 'totp' AND confirmed_at IS NOT NULL AND removed_at IS NULL;

CREATE TABLE staff_recovery_code (
  code_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff,
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  used_at timestamptz
);
CREATE INDEX staff_recovery_code_by_staff ON staff_recovery_code (staff_id);

-- Signing in goes up in levels, each a row with a token of its own.
CREATE TABLE office_session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash bytea NOT NULL UNIQUE,
  staff_id uuid NOT NULL REFERENCES staff,
  level text NOT NULL CHECK (level IN ('password', 'enrol', 'full')),
  method text NOT NULL CHECK (method IN ('password', 'welcome', 'totp', 'passkey', 'recovery', 'demo')),
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  seen_at timestamptz NOT NULL DEFAULT engine_now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text,
  device text NOT NULL DEFAULT '' CHECK (char_length(device) <= 60),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE INDEX live_office_session ON office_session (staff_id) WHERE ended_at IS NULL;
CREATE INDEX office_session_by_expiry ON office_session (expires_at);

-- What a passkey is to sign, and what for.
CREATE TABLE office_challenge (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  challenge bytea NOT NULL UNIQUE,
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'resume', 'enrol', 'step-up')),
  session_id uuid REFERENCES office_session ON DELETE CASCADE,
  staff_id uuid REFERENCES staff,
  act_hash bytea,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX office_challenge_by_expiry ON office_challenge (expires_at);

-- A second factor that was shown again, good for the one act that it was shown for.
CREATE TABLE step_up (
  token_hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES office_session ON DELETE CASCADE,
  act_hash bytea NOT NULL,
  factor_id uuid REFERENCES staff_factor,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX step_up_by_expiry ON step_up (expires_at);

-- Two rows without a hash stand for the keys of the settings: `environment` for OFFICE_API_KEY, `operator` for OPERATOR_KEY.
CREATE TABLE office_api_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  public_id text NOT NULL UNIQUE,
  name text NOT NULL,
  key_hash bytea,
  franchise_id integer REFERENCES franchise, -- null: for all of them
  rights text[] NOT NULL,
  created_by uuid REFERENCES staff,
  created_at timestamptz NOT NULL DEFAULT engine_now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid REFERENCES staff,
  held_at timestamptz,
  CHECK (CASE WHEN key_hash IS NULL THEN num_nonnulls(franchise_id, revoked_at, held_at) = 0
              ELSE rights <@ ARRAY['view', 'invite', 'import', 'export', 'refund'] END)
);
INSERT INTO office_api_key (id, public_id, name, rights) VALUES
  ('00000000-0000-4000-8000-000000000001', 'environment', 'environment',
   ARRAY['view', 'invite', 'refund', 'review', 'import', 'settings', 'keys', 'staff', 'audit', 'export']),
  ('00000000-0000-4000-8000-000000000002', 'operator', 'operator', ARRAY['staff']);

-- The one answer to "which franchises may this caller see".
CREATE VIEW visible_franchise (actor_id, franchise_id) AS
  SELECT s.id, f.id
    FROM staff s CROSS JOIN franchise f
   WHERE s.state = 'active' AND s.held_at IS NULL AND s.role IN ('admin', 'finance', 'support')
  UNION ALL
  SELECT s.id, sf.franchise_id
    FROM staff s JOIN staff_franchise sf ON sf.staff_id = s.id
   WHERE s.state = 'active' AND s.held_at IS NULL AND s.role IN ('owner', 'clerk', 'viewer')
  UNION ALL
  SELECT k.id, f.id
    FROM office_api_key k JOIN franchise f ON k.franchise_id IS NULL OR k.franchise_id = f.id
   WHERE k.revoked_at IS NULL AND k.held_at IS NULL;

-- A restored database does not know who has left since its backup.
CREATE TABLE restore_notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  noticed_at timestamptz NOT NULL DEFAULT engine_now(),
  acknowledged_by uuid,
  acknowledged_at timestamptz,
  note text
);
CREATE INDEX open_restore_notice ON restore_notice (id) WHERE acknowledged_at IS NULL;

-- What was answered under an Idempotency-Key. No body: it held a secret, and is not shown again.
CREATE TABLE office_answer (
  actor_id uuid NOT NULL,
  idem_key text NOT NULL,
  request_hash bytea NOT NULL,
  status integer NOT NULL,
  body jsonb,
  at timestamptz NOT NULL DEFAULT engine_now(),
  PRIMARY KEY (actor_id, idem_key)
);
CREATE INDEX office_answer_by_time ON office_answer (at);

ALTER TABLE mail_token DROP CONSTRAINT mail_token_purpose_check,
  ADD CONSTRAINT mail_token_purpose_check
    CHECK (purpose IN ('confirm', 'reset', 'invitation', 'staff', 'office-reset', 'demo'));
ALTER TABLE mail_request DROP CONSTRAINT mail_request_purpose_check,
  ADD CONSTRAINT mail_request_purpose_check CHECK (purpose IN ('confirm', 'reset', 'office-reset'));
ALTER TABLE unreadable_secret DROP CONSTRAINT unreadable_secret_table_name_check,
  ADD CONSTRAINT unreadable_secret_table_name_check
    CHECK (table_name IN ('merchant_account', 'payment_method', 'staff_factor'));

-- Who did it, to which franchise, and what was so before and after.
ALTER TABLE audit_event
  ADD COLUMN actor_id uuid,
  ADD COLUMN franchise_id integer,
  ADD COLUMN before jsonb,
  ADD COLUMN after jsonb,
  ADD COLUMN reason text,
  ADD COLUMN request_id text;
CREATE INDEX audit_event_by_franchise ON audit_event (franchise_id, at DESC, id DESC);
CREATE INDEX audit_event_by_time ON audit_event (at DESC, id DESC);
CREATE INDEX audit_event_by_actor ON audit_event (actor_id, at DESC);
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Staff who were invited have no confirmed address yet, and stay.
CREATE OR REPLACE FUNCTION remove_unconfirmed_users(made_before timestamptz) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM app_user
     WHERE email_confirmed_at IS NULL AND active AND user_type = 2 AND created_at < made_before RETURNING id)
  SELECT count(*) FROM removed
$$;
