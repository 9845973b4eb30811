-- Who an account, a link and an invoice belong to.

-- An account that nobody has confirmed ends after a while. The portal's role takes away no other: it has this function and
-- no right to delete. Those that the office switched off stay, or their time would switch them on again.
CREATE INDEX unconfirmed_user_by_creation ON app_user (created_at) WHERE email_confirmed_at IS NULL;
CREATE FUNCTION remove_unconfirmed_users(made_before timestamptz) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM app_user WHERE email_confirmed_at IS NULL AND active AND created_at < made_before RETURNING id)
  SELECT count(*) FROM removed
$$;
REVOKE EXECUTE ON FUNCTION remove_unconfirmed_users FROM PUBLIC;

-- A user's link to a location, or its removal, holds while the location is the same customer's.
ALTER TABLE user_location ADD COLUMN customer_id bigint REFERENCES customer;
UPDATE user_location ul SET customer_id = l.customer_id FROM location l WHERE l.id = ul.location_id;
-- The version before goes on beside this one, and does not name the customer.
CREATE FUNCTION bind_user_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.customer_id := (SELECT customer_id FROM location WHERE id = NEW.location_id);
  RETURN NEW;
END $$;
CREATE TRIGGER bind_user_location BEFORE INSERT ON user_location
  FOR EACH ROW WHEN (NEW.customer_id IS NULL) EXECUTE FUNCTION bind_user_location();
ALTER TABLE user_location ALTER COLUMN customer_id SET NOT NULL;

CREATE OR REPLACE VIEW visible_location AS
  SELECT ul.user_id, ul.location_id
    FROM user_location ul
    JOIN location l ON l.id = ul.location_id AND l.customer_id = ul.customer_id
   WHERE ul.linked_at IS NOT NULL AND ul.hidden_at IS NULL
  UNION
  SELECT uc.user_id, l.id
    FROM user_customer uc
    JOIN location l ON l.customer_id = uc.customer_id
   WHERE NOT EXISTS (
     SELECT FROM user_location hidden
      WHERE hidden.user_id = uc.user_id AND hidden.location_id = l.id AND hidden.customer_id = l.customer_id
        AND hidden.hidden_at IS NOT NULL);

-- Null: the invoice is that of the location's customer. Otherwise the location has gone to another customer since, who
-- neither sees the invoice nor gets at the location by its numbers.
ALTER TABLE invoice ADD COLUMN former_customer_id bigint REFERENCES customer;
