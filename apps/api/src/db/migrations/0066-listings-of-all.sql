-- The provider counts calls for each endpoint key and address, so all accounts share a budget of listings beside their own. Instances
-- of the release before still call the function without it while they are replaced.
CREATE FUNCTION take_listing_turn(
  account_id bigint, per_minute integer, per_day integer, all_per_minute integer, all_per_day integer,
  OUT turn text, OUT again_in float8, OUT now_ms float8, OUT was_refused boolean, OUT of_all boolean)
LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := engine_now();
  in_minute bigint;
  in_day bigint;
BEGIN
  -- Otherwise two accounts could both take the last listing of all.
  PERFORM pg_advisory_xact_lock(7302135); -- ADVISORY_LOCKS.listings
  SELECT sum(listings_in_minute) FILTER (WHERE minute = date_trunc('minute', now_at)),
         sum(listings_in_day) FILTER (WHERE day = date_trunc('day', now_at))
    INTO in_minute, in_day FROM provider_budget;
  of_all := coalesce(in_minute >= all_per_minute, false) OR coalesce(in_day >= all_per_day, false);
  -- With nothing left, this takes nothing and still tells whether the account rests.
  SELECT t.turn, t.again_in, t.now_ms, t.was_refused INTO turn, again_in, now_ms, was_refused
    FROM take_listing_turn(account_id, CASE WHEN of_all THEN 0 ELSE per_minute END, per_day) AS t;
  of_all := of_all AND turn = 'minute-spent';
  IF of_all AND in_day >= all_per_day THEN
    turn := 'day-spent';
    again_in := extract(epoch FROM date_trunc('day', now_at) + interval '1 day' - now_at);
  END IF;
END $$;
