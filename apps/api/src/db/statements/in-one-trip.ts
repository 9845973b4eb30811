import { clientOf, commitBehind, type Queryable } from '../client.ts';

type Steps = readonly (() => Promise<unknown>)[];
type Answers<Each extends Steps> = { -readonly [Index in keyof Each]: Awaited<ReturnType<Each[Index]>> };

/**
 * Statements of one transaction that need nothing of each other's answers: sent together, done in this order. Where one
 * fails, Postgres does none that follow; the first failure is thrown once all are answered, so that nothing is under way
 * any more when the transaction is taken back. Where a connection takes one statement at a time, so it gets them.
 */
export async function inOneTrip<const Each extends Steps>(
  tx: Queryable,
  steps: Each,
): Promise<Answers<Each>> {
  const answers: unknown[] = [];
  if (clientOf(tx).pipeline) {
    const results = await Promise.allSettled(steps.map((step) => step()));
    for (const each of results) {
      if (each.status === 'rejected') throw each.reason;
      answers.push(each.value);
    }
  } else {
    for (const step of steps) answers.push(await step());
  }
  return answers as Answers<Each>;
}

/**
 * The last statements of a brief transaction, with its COMMIT in the same write. Each step sends one statement, at once, or
 * none; nothing of their answers may decide whether to commit.
 */
export async function inLastTrip<const Each extends Steps>(
  tx: Queryable,
  steps: Each,
): Promise<Answers<Each>> {
  const [answers, committed] = await Promise.allSettled([inOneTrip(tx, steps), commitBehind(tx)]);
  if (answers.status === 'rejected') throw answers.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return answers.value;
}
