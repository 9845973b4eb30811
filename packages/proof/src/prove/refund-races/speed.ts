import { sql } from 'drizzle-orm';
import { startPortalProcess } from '../instances/portal-process.ts';
import { waitUntil } from '../races/wait-until.ts';
import { closeBatch, payOnce, type RefundRaceRig, type Sale } from './rig.ts';

const REFUNDS = 20;

async function areCaptured({ instances: [{ deps }] }: RefundRaceRig, sales: Sale[]): Promise<boolean> {
  const ids = sql.param(sales.map(({ chargeId }) => chargeId));
  const { rows } = await deps.db.query.execute(
    sql`SELECT FROM charge WHERE id = ANY(${ids}::uuid[]) AND state <> 'captured'`,
  );
  return rows.length === 0;
}

async function madeAfter(
  { instances: [{ deps }] }: RefundRaceRig,
  { chargeId }: Sale,
): Promise<number | null> {
  const { rows } = await deps.db.query.execute<{ milliseconds: number | null }>(sql`
    SELECT extract(epoch FROM r.made_at - q.created_at)::float8 * 1000 AS milliseconds
      FROM refund r JOIN refund_request q ON q.id = r.request_id WHERE r.charge_id = ${chargeId}`);
  return rows[0]?.milliseconds ?? null;
}

/**
 * Measures the time from a request until its refund is made, at a portal process as it is deployed. Refunds run one after
 * the other, each with the account's whole listing budget. They are requested at another instance, so the process finds each
 * by polling: a request at the same instance wakes it.
 */
export async function measureRefunds(
  rig: RefundRaceRig,
  { isSettled, ask }: { isSettled: boolean; ask: (sale: Sale) => Promise<unknown> },
): Promise<void> {
  const { deps } = rig.instances[0];
  const portal = await startPortalProcess(deps.env);
  const times: number[] = [];
  try {
    const sales: Sale[] = [];
    while (sales.length < REFUNDS) sales.push(await payOnce(rig));
    await waitUntil(() => areCaptured(rig, sales), 'the portal captures what was paid');
    if (isSettled) await closeBatch(rig);
    for (const sale of sales) {
      await deps.db.query.execute(sql`DELETE FROM provider_budget`);
      await ask(sale);
      await waitUntil(async () => (await madeAfter(rig, sale)) !== null, 'the portal makes the refund');
      times.push((await madeAfter(rig, sale)) ?? 0);
    }
  } finally {
    await portal.stop();
  }
  const name = isSettled ? 'refund' : 'void';
  times.sort((one, other) => one - other);
  rig.run.figures = {
    [`${name}Median`]: times[Math.floor(times.length / 2)] ?? 0,
    [`${name}Slow`]: times[Math.ceil(times.length * 0.95) - 1] ?? 0,
  };
}
