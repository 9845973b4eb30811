import { clientOf, commitBehind, type Queryable } from '../client.ts';

type Steps = readonly (() => Promise<unknown>)[];
type Answers<Each extends Steps> = { -readonly [Index in keyof Each]: Awaited<ReturnType<Each[Index]>> };

/**
 * Sends statements of one transaction together and runs them in order; none may need another's answer. If one fails,
 * Postgres skips the rest. Throws the first failure once all are answered, so that nothing is in progress at the
 * rollback. Connections without pipelining get one statement at a time.
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
 * Sends a brief transaction's last statements together with its COMMIT. Each step sends at most one statement, at once;
 * no answer may decide whether to commit.
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
