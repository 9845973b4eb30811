-- What the payment engine needs beside its money tables.

-- The engine's deadlines, leases and waiting times go by one clock, the database's. Tests set it ahead by a row here;
-- the portal itself never writes one.
CREATE TABLE engine_clock (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  ahead interval NOT NULL
);
CREATE FUNCTION engine_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT clock_timestamp() + coalesce((SELECT ahead FROM engine_clock), interval '0') $$;

ALTER TABLE payment_intent ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE charge ALTER COLUMN created_at SET DEFAULT engine_now();

-- Whose order ids are ours. A copy of the database that serves another address gets a prefix of its own, and leaves
-- the charges of the original alone.
CREATE TABLE deployment (
  public_url text PRIMARY KEY,
  order_prefix text NOT NULL UNIQUE CHECK (order_prefix ~ '^[a-z0-9]{6}$'),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What the sweep may still ask of an account: its listings are counted, and a "too many requests" lets it rest.
CREATE TABLE provider_budget (
  merchant_account_id bigint PRIMARY KEY REFERENCES merchant_account,
  minute timestamptz NOT NULL DEFAULT '-infinity',
  listings_in_minute integer NOT NULL DEFAULT 0,
  day timestamptz NOT NULL DEFAULT '-infinity',
  listings_in_day integer NOT NULL DEFAULT 0,
  resting_until timestamptz
);

-- Takes one listing out of an account's budget; false when there is none left in this minute or this day.
CREATE FUNCTION take_listing(account_id bigint, per_minute integer, per_day integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  this_minute timestamptz := date_trunc('minute', engine_now());
  this_day timestamptz := date_trunc('day', this_minute);
BEGIN
  INSERT INTO provider_budget (merchant_account_id) VALUES (account_id) ON CONFLICT DO NOTHING;
  UPDATE provider_budget SET
      listings_in_minute = CASE WHEN minute = this_minute THEN listings_in_minute ELSE 0 END + 1,
      listings_in_day = CASE WHEN day = this_day THEN listings_in_day ELSE 0 END + 1,
      minute = this_minute,
      day = this_day
   WHERE merchant_account_id = account_id
     AND (minute <> this_minute OR listings_in_minute < per_minute)
     AND (day <> this_day OR listings_in_day < per_day);
  RETURN FOUND;
END $$;
