-- A database that was put back to an earlier moment does not know what was paid since. Until the provider's list has
-- been compared with it, nobody may pay.

-- Which database this is: another cluster, another database or another time line is another one. A dump read into a new
-- database, a base backup rolled forward to a point in time and a promoted standby each change it; a restart does not.
CREATE FUNCTION database_identity() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  own_oid text := (SELECT oid FROM pg_database WHERE datname = current_database());
BEGIN
  RETURN concat_ws('/', (SELECT system_identifier FROM pg_control_system()), own_oid,
                   left(pg_walfile_name(pg_current_wal_lsn()), 8));
EXCEPTION WHEN insufficient_privilege OR feature_not_supported THEN
  -- Some hosted databases show no more.
  RETURN own_oid;
END $$;

-- The database whose books were last known to agree with the provider's; while it is another one, payments are closed.
ALTER TABLE deployment ADD COLUMN books_of text NOT NULL DEFAULT database_identity();
-- How far back a person wants the comparison to look; otherwise it looks back to the last payment that is known here.
ALTER TABLE deployment ADD COLUMN compare_since timestamptz;
ALTER TABLE deployment ADD COLUMN comparing_until timestamptz;

-- A payment that the provider has under our prefix and our books do not: it was made after the backup.
CREATE TABLE found_payment (
  order_id text NOT NULL,
  transaction_key text NOT NULL,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  reference text NOT NULL,
  amount_cents bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('held', 'captured')),
  -- Not all of its work orders could be read, so nobody may pay until a person has settled it.
  is_unnamed boolean NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  settled_at timestamptz,
  PRIMARY KEY (order_id, transaction_key)
);

-- By numbers and not by invoice: the invoice itself may have been imported after the backup, and come back later.
CREATE TABLE found_payment_work_order (
  order_id text NOT NULL,
  transaction_key text NOT NULL,
  franchise_id integer NOT NULL,
  work_order_number bigint NOT NULL,
  PRIMARY KEY (franchise_id, work_order_number, order_id, transaction_key),
  FOREIGN KEY (order_id, transaction_key) REFERENCES found_payment
);
