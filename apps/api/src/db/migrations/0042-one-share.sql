-- A payment's shares, planned once a connection: of one payment each number of rows is known to be small, so that one plan serves
-- every payment. Of an array of payments Postgres made a new one for each, which took four times as long as the rows.

-- For the owner, in functions that run as it: the portal's role may not write shares itself.
CREATE FUNCTION share_payment(of_intent uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_share (charge_id, franchise_id, intent_id, at, outcome, amount_cents, tip_cents, services_cents,
                             brand, last_four)
  SELECT c.id, i.franchise_id, p.id, coalesce(c.accepted_at, p.decided_at, p.created_at), p.state,
         sum(a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents),
         sum(a.tip_cents), sum(a.services_cents), c.card_brand, substring(c.masked_card FROM '[0-9]{4}$')
    FROM payment_intent p
    JOIN charge c ON c.intent_id = p.id
    JOIN charge_allocation a ON a.charge_id = c.id
    JOIN invoice i ON i.id = a.invoice_id
   WHERE p.id = of_intent AND p.state <> 'undecided' AND p.kind <> 'card'
   GROUP BY p.id, c.id, i.franchise_id
  ON CONFLICT DO NOTHING;
END $$;
REVOKE EXECUTE ON FUNCTION share_payment FROM PUBLIC;

CREATE OR REPLACE FUNCTION share_decided_payment() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM share_payment(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION share_payments(of_intents uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM share_payment(id) FROM unnest(of_intents) AS given (id);
END $$;
