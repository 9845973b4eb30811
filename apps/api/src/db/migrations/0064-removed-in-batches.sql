-- As before, at most so many at a time, so that no number of them meets the time limit of a statement. The release before this one
-- calls it once an hour.
CREATE OR REPLACE FUNCTION remove_unconfirmed_users(made_before timestamptz) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM app_user
     WHERE email_confirmed_at IS NULL AND active AND user_type = 2 AND id = ANY (ARRAY(
       SELECT id FROM app_user
        WHERE email_confirmed_at IS NULL AND active AND user_type = 2 AND created_at < made_before
        ORDER BY created_at LIMIT 500)) RETURNING id)
  SELECT count(*) FROM removed
$$;
