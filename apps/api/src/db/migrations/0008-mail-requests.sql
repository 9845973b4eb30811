-- Somebody asked for a mail about an account that may not exist. Writing this row takes the same time for every address;
-- what becomes of it is found out after the answer.
CREATE TABLE mail_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('confirm', 'reset')),
  email text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
