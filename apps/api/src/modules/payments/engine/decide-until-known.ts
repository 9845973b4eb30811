import { setTimeout as wait } from 'node:timers/promises';
import { sqlState } from '../../../db/client.ts';
import { databaseTrouble } from '../../../db/database-trouble.ts';
import type { Deps } from '../../../deps.ts';
import { type Decision, decide } from './decide.ts';
import type { Decided } from './decided.ts';

/** A payment that this request has begun and must end. */
export type Begun = { intentId: string; millisecondsLeft: () => number };

/** `key-taken`: the transaction already belongs to another charge. `null`: the database didn't let us find out. */
export type KnownEnd = 'applied' | Exclude<Decided, { result: 'applied' }> | 'key-taken' | null;

/**
 * How long to wait for a lost connection before telling the payer that we don't know: within ten
 * seconds, COMMIT included.
 */
export const CONFIRM_MILLISECONDS = 4_000;
const PAUSE_MILLISECONDS = 200;
const UNIQUE_VIOLATION = '23505';

/**
 * Retries a decision through database faults. Waits for a locked row, as an import may hold one, until the payment's
 * deadline. After a broken connection nobody knows whether the commit happened: deciding again locks the payment, so it
 * waits for that commit and finds it done or not.
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
      await wait(PAUSE_MILLISECONDS);
    }
  }
}
