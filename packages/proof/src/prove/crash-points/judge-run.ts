import { sql } from 'drizzle-orm';
import { deliverMail } from '../../../../../apps/api/src/mail/deliver-mail.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { judge } from '../judge.ts';
import type { CrashRig } from './rig.ts';

/**
 * Sweeps with the surviving portal, then checks books, ledgers, answers, receipts, and that each invoice is paid once.
 * Returns violations in words.
 */
export async function judgeRun(rig: CrashRig): Promise<string[]> {
  const { portal, emulator, run } = rig;
  await sweepUntilDone(portal.deps);
  return [
    ...(await judge({ deps: portal.deps, emulator, told: run.told, except: run.before })),
    ...(await judgeInvoices(rig)),
    ...(await judgeReceipts(rig)),
  ];
}

async function judgeInvoices({ portal, run }: CrashRig): Promise<string[]> {
  const ids = sql.param(run.invoices.map(({ invoiceId }) => invoiceId));
  const { rows } = await portal.deps.db.query.execute<{ id: number; captured: number; isFree: boolean }>(sql`
    SELECT i.id,
           (SELECT count(*)::integer FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
             WHERE a.invoice_id = i.id AND c.state = 'captured') AS captured,
           i.balance_cents = 0 AND NOT EXISTS (
             SELECT FROM invoice_claim c WHERE c.invoice_id = i.id AND c.state = 'live') AS "isFree"
      FROM invoice i WHERE i.id = ANY(${ids}::bigint[])`);
  return rows.flatMap(({ id, captured, isFree }) => [
    ...(captured === 1 ? [] : [`invoice ${id} was captured ${captured} times`]),
    ...(isFree ? [] : [`invoice ${id} is still due or claimed`]),
  ]);
}

/** Each accepted payer gets one receipt: one message, delivered at most twice. Nobody else gets any. */
async function judgeReceipts({ portal, mailServer, run }: CrashRig): Promise<string[]> {
  const { deps } = portal;
  await deps.db.query.execute(sql`
    UPDATE outgoing_mail SET lease_until = NULL, next_try_at = clock_timestamp() WHERE sent_at IS NULL`);
  await deliverMail(deps);
  const ids = sql.param(run.invoices.map(({ invoiceId }) => invoiceId));
  const { rows } = await deps.db.query.execute<{ key: string; isAccepted: boolean; mails: string[] }>(sql`
    SELECT p.idem_key AS key, p.state = 'accepted' AS "isAccepted",
           (SELECT coalesce(json_agg(m.id), '[]') FROM outgoing_mail m
             WHERE m.intent_id = p.id AND m.kind = 'payment-receipt') AS mails
      FROM payment_intent p
     WHERE p.id IN (SELECT c.intent_id FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
                     WHERE a.invoice_id = ANY(${ids}::bigint[]))
       -- Whose capture became impossible has its receipt only if it had gone by then.
       AND NOT EXISTS (SELECT FROM charge c WHERE c.intent_id = p.id AND c.state = 'capture_failed')`);
  return rows.flatMap(({ key, isAccepted, mails }) => {
    if (mails.length !== (isAccepted ? 1 : 0)) return [`${key} has ${mails.length} receipts`];
    return mails.flatMap((id) => {
      const copies = mailServer.received.filter(({ messageId }) => messageId?.includes(id)).length;
      return copies === 1 || copies === 2 ? [] : [`${key}'s receipt arrived ${copies} times`];
    });
  });
}
