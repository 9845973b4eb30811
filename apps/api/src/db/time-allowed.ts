import type pg from 'pg';

const allowed = new WeakMap<object, number>();

/** What each statement of the transaction that is open on a connection may take, in place of the pool's few seconds. */
export const timeAllowed = (connection: pg.Connection): number | undefined => allowed.get(connection);

export function setTimeAllowed(connection: pg.Connection, milliseconds: number): void {
  allowed.set(connection, milliseconds);
}

export function endTimeAllowed(connection: pg.Connection): void {
  allowed.delete(connection);
}
