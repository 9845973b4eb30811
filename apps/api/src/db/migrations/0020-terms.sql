-- Which terms a payment rests on, since when, and in which version.

-- Every text that a deployment has shown. Its version is made from the text itself.
CREATE TABLE terms_text (
  version text PRIMARY KEY,
  body text NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER terms_texts_stay BEFORE UPDATE OR DELETE ON terms_text
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- One row for each invoice of an accepted payment.
CREATE TABLE terms_acceptance (
  intent_id uuid NOT NULL REFERENCES payment_intent,
  invoice_id bigint NOT NULL REFERENCES invoice,
  -- Null for a guest.
  user_id uuid REFERENCES app_user,
  -- Not a reference: it is what the payer's page said. Null: accepted for the location before versions were kept.
  version text,
  -- What the words beside the box said of the work.
  work text NOT NULL CHECK (work IN ('completed', 'upcoming')),
  -- With this payment, or with an earlier one at the same location.
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (intent_id, invoice_id)
);
CREATE TRIGGER terms_acceptances_stay BEFORE UPDATE OR DELETE ON terms_acceptance
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE user_location ADD COLUMN terms_version text;
