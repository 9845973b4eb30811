-- The epoch for which an instance reads the list until next_try_at. An epoch that begins meanwhile needs a look of its own,
-- and must not wait for that one.
ALTER TABLE account_look ADD COLUMN looking_epoch uuid;
