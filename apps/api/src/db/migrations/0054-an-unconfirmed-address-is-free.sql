-- Whoever proves that an address is theirs gets it, even if somebody registered it and never confirmed it. An account that the
-- office switched off stays, or it would be switched on again.
CREATE FUNCTION remove_unconfirmed_user(named text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM app_user WHERE email = named AND email_confirmed_at IS NULL AND active AND user_type = 2
$$;
REVOKE EXECUTE ON FUNCTION remove_unconfirmed_user FROM PUBLIC;
