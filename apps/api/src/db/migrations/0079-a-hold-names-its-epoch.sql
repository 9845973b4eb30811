-- The epoch of the books that began with this hold of access. Null for holds from before: they cover no later restore.
ALTER TABLE restore_notice ADD COLUMN epoch uuid;
