import type pg from 'pg';

/** Less than any clock in a simulation is off, and more than the engine's is set ahead while a statement waits for a lock. */
const FAR_OFF_SECONDS = 240;

/** Has the database note each lease that does not end about a minute from now by its own clock. */
export async function watchLeases(admin: pg.Pool): Promise<void> {
  await admin.query(`
    CREATE TABLE odd_lease (order_id text NOT NULL);
    CREATE FUNCTION note_odd_lease() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF abs(extract(epoch FROM NEW.lease_until - engine_now())) > ${FAR_OFF_SECONDS} THEN
        INSERT INTO odd_lease VALUES (NEW.order_id);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_odd_lease AFTER UPDATE OF lease_until ON charge FOR EACH ROW
      WHEN (NEW.lease_until IS NOT NULL AND NEW.lease_until IS DISTINCT FROM OLD.lease_until)
      EXECUTE FUNCTION note_odd_lease()`);
}

/** What is wrong with the leases that were taken since this was asked last, in words. */
export async function judgeLeases(admin: pg.Pool): Promise<string[]> {
  const { rows } = await admin.query<{ orderId: string }>(
    `WITH noted AS (DELETE FROM odd_lease RETURNING order_id) SELECT DISTINCT order_id AS "orderId" FROM noted`,
  );
  return rows.map(({ orderId }) => `charge ${orderId} was leased by another clock than the database's`);
}
