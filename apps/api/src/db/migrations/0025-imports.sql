-- What was imported, by whom, and what it changed, so that a wrong file can be taken back; and what the books and the
-- provider's list said differently, until somebody has looked.

-- A file from the moment somebody sends it to be checked, or a key sends it to be imported.
CREATE TABLE office_import (
  id uuid PRIMARY KEY,
  staff_id uuid REFERENCES staff,
  api_key_id uuid REFERENCES office_api_key,
  file_name text,
  sha256 text, -- of the bytes, known when all of them have arrived
  bytes bigint,
  rows_read integer NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('checking', 'checked', 'applying', 'applied', 'refused', 'broken-off')),
  fault_count integer NOT NULL DEFAULT 0,
  faults jsonb NOT NULL DEFAULT '[]',
  checked jsonb, -- what the check answered
  started_at timestamptz NOT NULL DEFAULT engine_now(),
  ended_at timestamptz,
  CHECK (num_nonnulls(staff_id, api_key_id) = 1)
);
CREATE INDEX office_import_by_time ON office_import (started_at DESC, id DESC);
CREATE INDEX office_import_by_staff ON office_import (staff_id, started_at DESC, id DESC);
CREATE INDEX office_import_by_key ON office_import (api_key_id, started_at DESC, id DESC);
CREATE INDEX office_import_under_way ON office_import (started_at) WHERE state IN ('checking', 'applying');

-- What an import did to one office: all that this office sees of a file that somebody else sent.
CREATE TABLE office_import_count (
  import_id uuid NOT NULL REFERENCES office_import,
  franchise_id integer NOT NULL REFERENCES franchise,
  started_at timestamptz NOT NULL, -- the import's
  created integer NOT NULL,
  updated integer NOT NULL,
  unchanged integer NOT NULL,
  overpaid jsonb NOT NULL, -- [{franchiseId, workOrderNumber, overpaidCents}]
  amount_before_cents bigint NOT NULL,
  amount_after_cents bigint NOT NULL,
  before jsonb NOT NULL, -- {name, timeZone}; nulls where the franchise is new
  after jsonb NOT NULL,
  PRIMARY KEY (import_id, franchise_id)
);
CREATE INDEX office_import_count_by_franchise ON office_import_count (franchise_id, started_at DESC, import_id DESC);

-- An invoice as a row of the import, before and after. Of those that the import created only the ones whose customer or
-- place was here and has changed: what they say before is what takes that back. Removed after 90 days.
CREATE TABLE office_import_change (
  import_id uuid NOT NULL REFERENCES office_import,
  invoice_id bigint NOT NULL REFERENCES invoice,
  is_created boolean NOT NULL DEFAULT false,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT engine_now(),
  PRIMARY KEY (import_id, invoice_id)
);
CREATE INDEX office_import_change_by_invoice ON office_import_change (invoice_id);
CREATE INDEX office_import_change_by_time ON office_import_change (at);

-- The import that created it.
ALTER TABLE invoice ADD COLUMN import_id uuid;

-- Where a comparison found the books and the provider's list apart. Nothing is mended by it.
CREATE TABLE book_difference (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  order_id text NOT NULL,
  reference text NOT NULL,
  amount_cents bigint NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT engine_now(),
  last_seen_at timestamptz NOT NULL DEFAULT engine_now(),
  acknowledged_by text,
  acknowledged_at timestamptz,
  note text,
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);
CREATE UNIQUE INDEX open_book_difference ON book_difference (kind, order_id, reference) WHERE acknowledged_at IS NULL;
CREATE INDEX book_difference_by_order ON book_difference (order_id, kind, reference);
CREATE INDEX acknowledged_book_difference ON book_difference (acknowledged_at DESC, id DESC) WHERE acknowledged_at IS NOT NULL;
