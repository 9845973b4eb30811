-- However an older state of the books comes back, nobody pays before the provider's lists were compared with it. The
-- database cannot tell by itself that it is older; the provider's newest rows can, as every order of ours was committed
-- here before it was sent. So each time the database may have become another one, an epoch begins, and in it a merchant
-- account takes payments only after its list has been looked at.

-- What of a database changes when another state takes its place: the cluster, the database, the time line, the start of
-- Postgres and the files of the payments. `unread` names what this server does not show.
CREATE FUNCTION database_marks(OUT marks text, OUT unread text[]) LANGUAGE plpgsql AS $$
DECLARE
  cluster_id text;
  time_line text;
BEGIN
  unread := '{}';
  BEGIN
    cluster_id := (SELECT system_identifier FROM pg_control_system());
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
    unread := unread || 'the cluster''s identifier'::text;
  END;
  BEGIN
    time_line := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
    unread := unread || 'the time line'::text;
  END;
  marks := concat_ws('/', coalesce(cluster_id, '-'), (SELECT oid FROM pg_database WHERE datname = current_database()),
                     coalesce(time_line, '-'), extract(epoch FROM pg_postmaster_start_time()),
                     pg_relation_filenode('payment_intent'), pg_relation_filenode('charge'));
END $$;

-- A row remembers the marks of the database and the transaction that wrote it. A restored copy of the row was written by
-- another transaction, also where a dump is put back in place, so it no longer matches itself.
CREATE TABLE books_epoch (
  public_url text PRIMARY KEY REFERENCES deployment,
  epoch uuid NOT NULL,
  mark text NOT NULL
);

-- How far the books are known to have everything of an account's list.
CREATE TABLE account_look (
  public_url text NOT NULL REFERENCES deployment,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  -- The epoch in which the list was found to show nothing that is unknown here.
  epoch uuid,
  looked_at timestamptz,
  -- Every order up to this moment is known, whatever was lost later. Moves when an epoch begins, never during one.
  complete_until timestamptz,
  -- When to look once more: a list may show a transaction late.
  confirm_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz,
  PRIMARY KEY (public_url, merchant_account_id)
);

-- Orders of ours that a comparison found at the provider, and these books do not have: no restore is noticed by them again.
CREATE TABLE lost_order (
  order_id text PRIMARY KEY,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Set while the lists are compared in full. `books_of` is the version before's, and has no meaning from here on.
ALTER TABLE deployment ADD COLUMN restore_noticed_at timestamptz;
UPDATE deployment SET restore_noticed_at = clock_timestamp() WHERE books_of <> database_identity();

INSERT INTO account_look (public_url, merchant_account_id, complete_until)
SELECT d.public_url, m.id, newest.created_at
  FROM deployment d CROSS JOIN merchant_account m CROSS JOIN (SELECT max(created_at) AS created_at FROM payment_intent) newest
 WHERE newest.created_at IS NOT NULL;
