-- Money is integer cents, rates integer parts per million, due and completed dates calendar dates.

-- Franchises, their customers and what these owe -------------------------------------------------------------------

CREATE TABLE franchise (
  id integer PRIMARY KEY CHECK (id > 0), -- the franchise number on its invoices
  name text NOT NULL,
  phone text,
  email text,
  address text,
  time_zone text NOT NULL,
  max_credit_percent integer NOT NULL DEFAULT 100 CHECK (max_credit_percent BETWEEN 0 AND 100)
);

-- Rows never change but for replaced_at, and never go: the charges that were made on an account end on it.
CREATE TABLE merchant_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  franchise_id integer REFERENCES franchise, -- null: the portal's own
  api_key text NOT NULL, -- encrypted
  pin text NOT NULL, -- encrypted
  public_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  replaced_at timestamptz
);
CREATE UNIQUE INDEX one_current_merchant_account
  ON merchant_account (coalesce(franchise_id, 0)) WHERE replaced_at IS NULL;

CREATE TABLE customer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  franchise_id integer NOT NULL REFERENCES franchise,
  number bigint NOT NULL, -- the franchise's own
  name text NOT NULL,
  email text,
  UNIQUE (franchise_id, number)
);

CREATE TABLE location (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- the locationId of the wire
  franchise_id integer NOT NULL REFERENCES franchise,
  number bigint NOT NULL, -- the franchise's own
  customer_id bigint NOT NULL REFERENCES customer,
  description text NOT NULL,
  address_line1 text NOT NULL,
  city text NOT NULL,
  state text NOT NULL,
  zip_code text NOT NULL, -- as the office wrote it
  zip_key text, -- as it is compared; null where there is none, which nothing matches
  UNIQUE (franchise_id, number)
);
CREATE INDEX location_by_customer ON location (customer_id);

CREATE TABLE invoice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  franchise_id integer NOT NULL REFERENCES franchise,
  work_order_number bigint NOT NULL CHECK (work_order_number > 0),
  location_id bigint NOT NULL REFERENCES location,
  service text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  tax_cents bigint NOT NULL CHECK (tax_cents BETWEEN 0 AND amount_cents),
  tax_rate_ppm integer NOT NULL CHECK (tax_rate_ppm BETWEEN 0 AND 1000000),
  due_date date,
  completed_date date,
  tips_enabled boolean NOT NULL,
  -- What the office has received itself.
  paid_elsewhere_cents bigint NOT NULL DEFAULT 0 CHECK (paid_elsewhere_cents >= 0),
  -- Sums over the charges that count (accepted, reversing, captured), kept by the trigger settle_invoices alone;
  -- invariant I9 compares them with the sums themselves.
  paid_cents bigint NOT NULL DEFAULT 0,
  paid_tax_cents bigint NOT NULL DEFAULT 0,
  balance_cents bigint NOT NULL
    GENERATED ALWAYS AS (greatest(0, amount_cents - paid_cents - paid_elsewhere_cents)) STORED,
  -- Grows whenever what there is to pay changes.
  version integer NOT NULL DEFAULT 1,
  UNIQUE (franchise_id, work_order_number)
);
CREATE INDEX unpaid_invoice_by_location ON invoice (location_id) WHERE balance_cents > 0;
CREATE INDEX invoice_by_location ON invoice (location_id, completed_date DESC);

CREATE FUNCTION raise_invoice_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.amount_cents, NEW.tax_cents, NEW.tax_rate_ppm, NEW.tips_enabled, NEW.paid_cents, NEW.paid_tax_cents, NEW.paid_elsewhere_cents)
     IS DISTINCT FROM
     (OLD.amount_cents, OLD.tax_cents, OLD.tax_rate_ppm, OLD.tips_enabled, OLD.paid_cents, OLD.paid_tax_cents, OLD.paid_elsewhere_cents)
  THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER raise_invoice_version BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION raise_invoice_version();

-- People ------------------------------------------------------------------------------------------------------------

CREATE TABLE app_user (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE CHECK (email = lower(btrim(email))),
  first_name text NOT NULL,
  last_name text NOT NULL,
  password_hash text NOT NULL,
  user_type smallint NOT NULL DEFAULT 2 CHECK (user_type IN (1, 2, 3)), -- Admin, User, Franchise
  email_confirmed_at timestamptz,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- An accepted invitation: all of that customer's locations, present and later imported.
CREATE TABLE user_customer (
  user_id uuid NOT NULL REFERENCES app_user,
  customer_id bigint NOT NULL REFERENCES customer,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, customer_id)
);
CREATE INDEX user_customer_by_customer ON user_customer (customer_id);

CREATE TABLE user_location (
  user_id uuid NOT NULL REFERENCES app_user,
  location_id bigint NOT NULL REFERENCES location,
  linked_at timestamptz, -- added by the three numbers
  hidden_at timestamptz, -- removed by the user
  legal_accepted_at timestamptz,
  PRIMARY KEY (user_id, location_id)
);
CREATE INDEX user_location_by_location ON user_location (location_id);

-- The one answer to "which locations are this user's", for every query to join.
CREATE VIEW visible_location AS
  SELECT ul.user_id, ul.location_id
    FROM user_location ul
   WHERE ul.linked_at IS NOT NULL AND ul.hidden_at IS NULL
  UNION
  SELECT uc.user_id, l.id
    FROM user_customer uc
    JOIN location l ON l.customer_id = uc.customer_id
   WHERE NOT EXISTS (
     SELECT FROM user_location hidden
      WHERE hidden.user_id = uc.user_id AND hidden.location_id = l.id AND hidden.hidden_at IS NOT NULL);

CREATE TABLE invitation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id bigint NOT NULL REFERENCES customer,
  email text NOT NULL CHECK (email = lower(btrim(email))),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  accepted_by uuid REFERENCES app_user
);
CREATE INDEX pending_invitation_by_email ON invitation (email) WHERE accepted_at IS NULL;

-- A family of refresh tokens. A token is derived from family and generation, so nothing here can be used as one.
CREATE TABLE session (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  generation integer NOT NULL DEFAULT 1,
  rotated_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX session_by_user ON session (user_id) WHERE ended_at IS NULL;

CREATE TABLE mail_token (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('confirm', 'reset', 'invitation')),
  email text NOT NULL,
  invitation_id uuid REFERENCES invitation,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX mail_token_by_email ON mail_token (email, purpose) WHERE used_at IS NULL;

-- Payments ----------------------------------------------------------------------------------------------------------

CREATE TABLE payment_intent (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('guest', 'portal', 'card')),
  user_id uuid REFERENCES app_user,
  idem_scope text NOT NULL, -- the user's id, or guest:franchise:workorder
  idem_key text, -- null: the claims alone guard
  request_hash text NOT NULL,
  state text NOT NULL DEFAULT 'undecided' CHECK (state IN ('undecided', 'accepted', 'declined', 'abandoned')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline_at timestamptz NOT NULL,
  decided_at timestamptz,
  response_status integer,
  response_body jsonb,
  -- Where the payer hears of a capture that became impossible.
  payer_email text,
  UNIQUE (idem_scope, idem_key)
);
CREATE INDEX undecided_payment_intent ON payment_intent (deadline_at) WHERE state = 'undecided';

CREATE TABLE charge (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  intent_id uuid NOT NULL REFERENCES payment_intent,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  order_id text NOT NULL UNIQUE CHECK (length(order_id) <= 32),
  state text NOT NULL DEFAULT 'authorising' CHECK (state IN (
    'authorising', 'authorised', 'accepted', 'captured', 'reversing', 'capture_failed',
    'refused', 'abandoned', 'releasing', 'released', 'absent', 'conflict', 'unresolved')),
  transaction_key text,
  reference text,
  masked_card text,
  card_brand text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  accepted_at timestamptz,
  capture_sent_at timestamptz,
  captured_at timestamptz,
  -- Two complete listings without our order id are the proof that nothing is there.
  first_absent_listing_at timestamptz,
  -- The second answer that a capture is impossible, a minute after this one, settles it.
  first_impossible_at timestamptz,
  review_since timestamptz,
  next_try_at timestamptz,
  lease_until timestamptz,
  fence bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  UNIQUE (merchant_account_id, transaction_key),
  UNIQUE (merchant_account_id, reference)
);
CREATE INDEX charge_by_intent ON charge (intent_id);
CREATE INDEX charge_to_do ON charge (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX charge_in_review ON charge (review_since) WHERE review_since IS NOT NULL;

CREATE TABLE charge_allocation (
  charge_id uuid NOT NULL REFERENCES charge,
  invoice_id bigint NOT NULL REFERENCES invoice,
  invoice_cents bigint NOT NULL, -- of the invoice itself, less its tax
  tax_cents bigint NOT NULL, -- of the invoice's own tax
  services_cents bigint NOT NULL, -- negative for a credit
  services_tax_cents bigint NOT NULL,
  tip_cents bigint NOT NULL CHECK (tip_cents >= 0),
  services_note text,
  -- What was priced: ACCEPT compares it with the invoice once more.
  priced_version integer NOT NULL,
  PRIMARY KEY (charge_id, invoice_id)
);
CREATE INDEX charge_allocation_by_invoice ON charge_allocation (invoice_id);

CREATE TABLE invoice_claim (
  invoice_id bigint NOT NULL REFERENCES invoice,
  intent_id uuid NOT NULL REFERENCES payment_intent,
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'settled', 'freed')),
  PRIMARY KEY (invoice_id, intent_id)
);
CREATE UNIQUE INDEX one_live_claim ON invoice_claim (invoice_id) WHERE state = 'live';
CREATE INDEX invoice_claim_by_intent ON invoice_claim (intent_id);

CREATE TABLE ledger_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  charge_id uuid REFERENCES charge, -- null: what an office says it received itself
  invoice_id bigint NOT NULL REFERENCES invoice,
  account text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('debit', 'credit')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL,
  source_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (charge_id, invoice_id, account, direction, reason),
  UNIQUE (source_id, account, direction)
);
CREATE INDEX ledger_entry_by_invoice ON ledger_entry (invoice_id);

CREATE TABLE payment_method (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES app_user,
  charge_id uuid NOT NULL UNIQUE REFERENCES charge,
  card_token text NOT NULL, -- encrypted
  masked_card text NOT NULL, -- from the provider
  brand text NOT NULL,
  expires_month date, -- the first day of the last month in which it is good
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX payment_method_by_user ON payment_method (user_id);

-- Mail that waits to be sent: written in the transaction that caused it ----------------------------------------------

CREATE TABLE outgoing_mail (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), -- also the Message-ID, the same at every attempt
  kind text NOT NULL,
  recipient text NOT NULL,
  content jsonb NOT NULL, -- {subject, text, html}; emptied once sent
  intent_id uuid REFERENCES payment_intent,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sent_at timestamptz,
  cancelled_at timestamptz,
  next_try_at timestamptz DEFAULT clock_timestamp(),
  lease_until timestamptz,
  fence bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX outgoing_mail_to_do ON outgoing_mail (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX outgoing_mail_by_intent ON outgoing_mail (intent_id) WHERE intent_id IS NOT NULL;

-- Limits, shared by all instances --------------------------------------------------------------------------------------

CREATE UNLOGGED TABLE limit_counter (
  key text NOT NULL, -- hashed: what is limited, and whose
  window_start timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (key, window_start)
);
CREATE INDEX limit_counter_by_age ON limit_counter (window_start);

-- What people at the office or the portal did by hand ------------------------------------------------------------------

CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_event_by_subject ON audit_event (subject, at);
