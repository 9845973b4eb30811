-- Accounts: what guessing costs, and what ends with a session.

-- An access token outlives the session it came from by minutes; every instance asks for the sessions that ended in them.
CREATE INDEX session_by_end ON session (ended_at) WHERE ended_at IS NOT NULL;

-- Where a user has signed in from, hashed: guessing from elsewhere must not lock the owner out.
CREATE TABLE known_address (
  user_id uuid NOT NULL REFERENCES app_user,
  address text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address)
);

-- A window begins with the first event that it counts, so that what is left of it can be said exactly.
DROP TABLE limit_counter;
CREATE UNLOGGED TABLE limit_counter (
  key text PRIMARY KEY, -- hashed: what is limited, and whose
  count integer NOT NULL,
  last_at timestamptz NOT NULL,
  window_end timestamptz NOT NULL
);
CREATE INDEX limit_counter_by_end ON limit_counter (window_end);

-- An office that invites the same person again renews its invitation.
CREATE UNIQUE INDEX one_pending_invitation ON invitation (customer_id, email) WHERE accepted_at IS NULL;
CREATE INDEX mail_token_by_expiry ON mail_token (expires_at);
