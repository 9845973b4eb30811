-- After a refused connection only listings rest; captures and payments of the account go on.
ALTER TABLE provider_budget
  ADD COLUMN listing_rests_until timestamptz,
  ADD COLUMN listing_refusals integer NOT NULL DEFAULT 0;

-- Takes a page from the budget of listings, or says when to ask again: nobody waits for it. Instances of the version
-- before still call take_listing while they are replaced.
CREATE FUNCTION take_listing_turn(
  account_id bigint, per_minute integer, per_day integer,
  OUT turn text, OUT again_in float8, OUT now_ms float8, OUT was_refused boolean)
LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := engine_now();
  budget provider_budget;
  rests_until timestamptz;
BEGIN
  SELECT * INTO budget FROM provider_budget WHERE merchant_account_id = account_id;
  now_ms := extract(epoch FROM now_at) * 1000;
  was_refused := coalesce(budget.listing_refusals > 0, false);
  rests_until := greatest(budget.listing_rests_until, budget.resting_until);
  IF rests_until > now_at THEN
    turn := 'resting';
    again_in := extract(epoch FROM rests_until - now_at);
    RETURN;
  END IF;
  turn := take_listing(account_id, per_minute, per_day);
  again_in := CASE turn
    WHEN 'minute-spent' THEN extract(epoch FROM date_trunc('minute', now_at) + interval '1 minute' - now_at)
    WHEN 'day-spent' THEN extract(epoch FROM date_trunc('day', now_at) + interval '1 day' - now_at)
    ELSE 0 END;
END $$;

-- The last comparison of each merchant account's books with the provider's, for the next one and for people.
CREATE TABLE book_comparison (
  merchant_account_id bigint PRIMARY KEY REFERENCES merchant_account (id),
  ended_at timestamptz NOT NULL,
  is_complete boolean NOT NULL,
  -- Since when no comparison has seen everything; null where the last one has.
  incomplete_since timestamptz,
  due_at timestamptz NOT NULL
);
CREATE INDEX book_comparison_incomplete ON book_comparison (incomplete_since) WHERE incomplete_since IS NOT NULL;
