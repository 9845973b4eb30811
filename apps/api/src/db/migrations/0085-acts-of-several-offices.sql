-- The offices of an act that concerned several, whose franchise_id is null. Acts from before keep none: they can't be changed.
ALTER TABLE audit_event ADD COLUMN franchise_ids integer[];
