-- The engine's clock is looked at more than a dozen times a payment, and nobody moves it but tests and the demo. A function that
-- reads a table is a statement of its own each time; this one becomes part of the statement that asks.

-- Has a value from the first time that somebody sets the clock, and for good. It only says whether to look: what the clock shows
-- is still the row's, as the asking transaction sees it.
CREATE SEQUENCE engine_clock_moved;
-- To whom it can't be shown, the clock would seem unmoved.
GRANT SELECT ON SEQUENCE engine_clock_moved TO PUBLIC;
SELECT setval('engine_clock_moved', 1) WHERE EXISTS (SELECT FROM engine_clock);

CREATE FUNCTION note_moved_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('engine_clock_moved', 1);
  RETURN NULL;
END $$;
CREATE TRIGGER note_moved_clock AFTER INSERT OR UPDATE ON engine_clock
  FOR EACH STATEMENT EXECUTE FUNCTION note_moved_clock();
-- Rows that are put back with triggers off count, too.
ALTER TABLE engine_clock ENABLE ALWAYS TRIGGER note_moved_clock;

CREATE FUNCTION engine_clock_ahead() RETURNS interval LANGUAGE sql VOLATILE AS
$$ SELECT coalesce((SELECT ahead FROM engine_clock), interval '0') $$;

-- Holds no query, or Postgres would not make it part of the statement.
CREATE OR REPLACE FUNCTION engine_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN pg_sequence_last_value('engine_clock_moved') IS NULL THEN clock_timestamp()
              ELSE clock_timestamp() + engine_clock_ahead() END
$$;
