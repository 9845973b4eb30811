import type pg from 'pg';

const allowed = new WeakMap<object, number>();

/** The time limit per statement in a connection's open transaction, in place of the pool's. */
export const timeAllowed = (connection: pg.Connection): number | undefined => allowed.get(connection);

export function setTimeAllowed(connection: pg.Connection, milliseconds: number): void {
  allowed.set(connection, milliseconds);
}

export function endTimeAllowed(connection: pg.Connection): void {
  allowed.delete(connection);
}
