-- Replaced by `payment_by_payer_email`: payers type their address in capitals, and offices search for it without.
DROP INDEX IF EXISTS payment_intent_by_payer;

-- The franchise whose people typed the recipient of a receipt; without one it is the payer's own address.
ALTER TABLE outgoing_mail ADD COLUMN franchise_id integer;
UPDATE outgoing_mail m SET franchise_id = a.franchise_id
  FROM audit_event a, payment_intent p LEFT JOIN app_user u ON u.id = p.user_id
 WHERE a.action = 'send-receipt' AND m.id = (a.detail ->> 'mailId')::uuid AND p.id = m.intent_id
   AND m.recipient IS DISTINCT FROM coalesce(p.payer_email, u.email);

-- Without a franchise, a note is for every office of the payment.
ALTER TABLE office_note ALTER COLUMN franchise_id DROP NOT NULL,
  ADD CHECK (franchise_id IS NOT NULL OR subject = 'payment');
