-- How much a payer may take off an invoice: a quarter, unless somebody has said otherwise. A 100 that nobody set was
-- the old default.
ALTER TABLE franchise ALTER COLUMN max_credit_percent SET DEFAULT 25;
UPDATE franchise f SET max_credit_percent = 25
 WHERE max_credit_percent = 100
   AND NOT EXISTS (SELECT FROM audit_event a
                    WHERE a.action = 'change-franchise' AND a.subject = 'franchise ' || f.id
                      AND a.detail->'settings' ? 'maxCreditPercent');

-- Credits of franchises that have no address to mail them to, until somebody has looked at them.
CREATE TABLE unmailed_credit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  charge_id uuid NOT NULL REFERENCES charge,
  invoice_id bigint NOT NULL REFERENCES invoice,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz,
  UNIQUE (charge_id, invoice_id)
);
CREATE INDEX unseen_credit ON unmailed_credit (id) WHERE seen_at IS NULL;

-- Rows that hold a secret which none of the configured keys opens.
CREATE TABLE unreadable_secret (
  table_name text NOT NULL CHECK (table_name IN ('merchant_account', 'payment_method')),
  row_id text NOT NULL,
  noticed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (table_name, row_id)
);
