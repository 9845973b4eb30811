-- From a guest's payment to an account: what the guest has shown, who took the payment along, and what waits for somebody's
-- first sign-in.

-- The guest named the right zip code, so the page after the payment may offer an account with the location in it.
ALTER TABLE payment_intent ADD zip_shown boolean NOT NULL DEFAULT false;

-- The single use of an offer: from then on the payment is listed with that account's.
CREATE TABLE adopted_payment (
  intent_id uuid PRIMARY KEY REFERENCES payment_intent,
  user_id uuid NOT NULL REFERENCES app_user,
  adopted_at timestamptz NOT NULL,
  through text NOT NULL CHECK (through IN ('page', 'signed-in'))
);
CREATE INDEX adopted_payment_by_user ON adopted_payment (user_id);

-- Of an account that nobody has confirmed yet; it goes with the account.
CREATE TABLE account_offer (
  user_id uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  intent_id uuid NOT NULL REFERENCES payment_intent,
  location_id bigint NOT NULL REFERENCES location,
  zip_key text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_offer_by_expiry ON account_offer (expires_at);
