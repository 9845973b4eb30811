-- The newest restore that a session comes after, by its notice and not by time, as a clock may have been wrong. Those of now come
-- after all that were noticed until now.
ALTER TABLE restore_notice ADD COLUMN continues bigint; -- the notice whose hold covers this one, too
DO $$ BEGIN
  EXECUTE format('ALTER TABLE session ADD COLUMN after_notice bigint NOT NULL DEFAULT %s',
                 (SELECT coalesce(max(id), 0) FROM restore_notice));
END $$;
