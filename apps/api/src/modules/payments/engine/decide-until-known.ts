import { sqlState } from '../../../db/client.ts';
import { databaseTrouble } from '../../../db/database-trouble.ts';
import type { Deps } from '../../../deps.ts';
import { type Decision, decide } from './decide.ts';
import type { Decided } from './decided.ts';

/** A payment that this request has begun and must bring to an end. */
export type Begun = { intentId: string; millisecondsLeft: () => number };

/** `key-taken`: the transaction is another charge's already. `null`: the database did not let us find out. */
export type KnownEnd = 'applied' | Exclude<Decided, { result: 'applied' }> | 'key-taken' | null;

/** How long a lost connection is waited for before the payer hears that we do not know: with the COMMIT before it, within ten seconds. */
export const CONFIRM_MILLISECONDS = 4_000;
const PAUSE_MILLISECONDS = 200;
const UNIQUE_VIOLATION = '23505';

/**
 * Decides, through what a database may do meanwhile. A row that an import holds is waited for until the payment's time
 * is up. When a connection broke, nobody knows whether its commit happened: deciding again locks the payment, and so
 * waits for that commit, and finds it done or not.
 */
export async function decideUntilKnown(
  deps: Deps,
  { intentId, millisecondsLeft }: Begun,
  decision: Decision,
): Promise<KnownEnd> {
  let lostAt: number | null = null;
  for (;;) {
    try {
      const decided = await decide(deps, { intentId, decision });
      return decided.result === 'applied' ? 'applied' : decided;
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) return 'key-taken';
      const trouble = databaseTrouble(error);
      if (trouble === null) throw error;
      deps.log.warn({ intentId, event: decision.event, trouble }, 'the decision is tried again');
      if (trouble === 'lost') lostAt ??= performance.now();
      const isOver =
        lostAt === null ? millisecondsLeft() < 0 : performance.now() - lostAt > CONFIRM_MILLISECONDS;
      if (isOver) return null;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }
}
