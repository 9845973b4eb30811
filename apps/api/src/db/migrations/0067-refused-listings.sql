-- What keeps an account closed asks again minutes after a refused connection, however long other listings rest.
ALTER TABLE provider_budget ADD COLUMN listing_refused_at timestamptz;
