-- When an office last sent a pending invitation anew; null if it was sent once. Closing an account goes by it: an invitation sent after
-- the account gave the address up is somebody else's. Until now only the expiry moved, 14 days from each mail.
ALTER TABLE invitation ADD COLUMN renewed_at timestamptz;
UPDATE invitation SET renewed_at = expires_at - interval '14 days'
 WHERE accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at > engine_now()
   AND expires_at - interval '14 days' > created_at + interval '1 minute';
