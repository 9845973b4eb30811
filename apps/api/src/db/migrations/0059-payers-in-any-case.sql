-- Replaced by `payment_by_payer_email`: payers type their address in capitals, and offices search for it without.
DROP INDEX IF EXISTS payment_intent_by_payer;
