-- The zip code that a guest named right, as it is compared, and where the invoice stood: an offer is good only while both
-- are still so.
ALTER TABLE payment_intent ADD zip_key_shown text, ADD location_shown bigint,
  ADD CONSTRAINT shown_zip_is_kept CHECK (
    zip_shown = (zip_key_shown IS NOT NULL) AND zip_shown = (location_shown IS NOT NULL)) NOT VALID;
