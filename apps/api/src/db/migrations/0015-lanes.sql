-- What the instances share of their background work beside the rows that it is about: which run of a task that runs once
-- for all of them was the last, and whether what a lane depends on answers.
CREATE TABLE background_lane (
  name text PRIMARY KEY,
  -- The slot of its schedule that was worked off last.
  done_slot timestamptz NOT NULL DEFAULT engine_now(),
  lease_until timestamptz,
  fence bigint NOT NULL DEFAULT 0,
  -- Attempts in a row that were not answered, and until when nobody tries again.
  failures integer NOT NULL DEFAULT 0,
  resting_until timestamptz
);
INSERT INTO background_lane (name)
VALUES ('deliver-mail'), ('check-mail'), ('check-books'), ('check-all-books'), ('compare-books'), ('forget-old');

-- Calls of the sweep in a row that an account has not answered.
ALTER TABLE provider_budget ADD COLUMN failures integer NOT NULL DEFAULT 0;

-- Each merchant account has a lane of its own, which reads its own charges only.
CREATE INDEX charge_to_do_by_account ON charge (merchant_account_id, next_try_at) WHERE next_try_at IS NOT NULL;

-- Mail goes by the engine's clock too. A mail is given up for its own refusals, not for attempts on a server that was down.
ALTER TABLE outgoing_mail
  ALTER COLUMN created_at SET DEFAULT engine_now(),
  ALTER COLUMN next_try_at SET DEFAULT engine_now(),
  ADD COLUMN refusals integer NOT NULL DEFAULT 0;
ALTER TABLE mail_request ALTER COLUMN requested_at SET DEFAULT engine_now();
