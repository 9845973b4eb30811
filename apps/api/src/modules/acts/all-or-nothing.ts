import type { Database, Queryable } from '../../db/client.ts';

class Refused<Outcome> extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('refused');
    this.outcome = outcome;
  }
}

/** Rolls the transaction back unless its outcome is a success, so that a refused act spends no second factor. */
export async function allOrNothing<Outcome extends { ok: boolean }>(
  db: Pick<Database, 'transaction'>,
  work: (tx: Queryable) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await db.transaction(async (tx) => {
      const outcome = await work(tx);
      if (!outcome.ok) throw new Refused(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof Refused) return error.outcome as Outcome;
    throw error;
  }
}
