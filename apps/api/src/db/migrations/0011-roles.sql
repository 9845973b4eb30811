-- The sums of what was paid are this trigger's alone: the role that the portal runs under may not write them itself.
ALTER FUNCTION settle_invoices() SECURITY DEFINER;
ALTER FUNCTION settle_invoices() SET search_path = public, pg_temp;
