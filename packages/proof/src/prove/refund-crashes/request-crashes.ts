import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { must } from '../provider-faults/payments.ts';
import { KINDS } from './refund-cases.ts';
import { type CrashAttack, idOf, mustEnd, pay, wordsOf } from './refund-sales.ts';

const ASKING = [
  { point: 'R01-inside-request', isThere: false },
  { point: 'R02-requested', isThere: true },
] as const;

/** Somebody requests under a key, gets no answer, and requests again. */
export const requestCrashes: CrashAttack[] = ASKING.flatMap(({ point, isThere }) =>
  KINDS.map((kind) => ({
    id: `C${idOf(point)} ${kind}`,
    name: `a request dies ${wordsOf(point)}, and the same key asks once`,
    runs: 2,
    async run(rig) {
      const { portal } = rig;
      const sales = await pay(rig, kind);
      const [sale] = sales;
      const { rows } = await portal.deps.db.query.execute<{
        franchiseId: number;
        workOrderNumber: number;
      }>(sql`
        SELECT franchise_id AS "franchiseId", work_order_number AS "workOrderNumber" FROM invoice
         WHERE id = ANY(${sql.param(sales.map(({ invoiceId }) => invoiceId))}::bigint[])`);
      const amount = kind === 'void' ? {} : { amount: 50 };
      const body = {
        reason: 'complaint',
        lines: rows.map((line) => ({ ...line, ...amount, effect: 'due-again' })),
      };
      const path = `/office/payments/${sale?.paymentId}/refunds`;
      const key = randomUUID();
      const crashing = await rig.processes.crashAt(point);
      await crashing.post(path, body, { token: TEST_SECRETS.officeApiKey, key });
      await crashing.killed();
      const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': key };
      const again = await portal.app.inject({ method: 'POST', url: `/api${path}`, headers, payload: body });
      must(again.statusCode === 202, `the repeat was answered ${again.statusCode} ${again.body}`);
      must((again.headers['idempotency-replayed'] === 'true') === isThere, 'it was not asked for once');
      await mustEnd(rig, sales, kind);
    },
  })),
);
