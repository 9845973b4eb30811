-- After a restore, a replaced account whose keys are refused may have taken payments that nobody can read. It stands among the found
-- payments, without work orders, so that nothing is paid on it until a person has acknowledged it.
ALTER TABLE found_payment DROP CONSTRAINT found_payment_state_check;
ALTER TABLE found_payment ADD CONSTRAINT found_payment_state_check CHECK (state IN ('held', 'captured', 'unread'));
