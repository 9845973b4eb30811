import { type SQL, sql } from 'drizzle-orm';
import { listOf } from '../../../../db/query.ts';
import type { RefundDecision } from './refund-decision.ts';
import { DEADLINE_SECONDS, VOID_LANDS_SECONDS } from './refund-times.ts';

/** The provider's refunds of the order before this one is sent, including voided ones. */
const KEYS_BEFORE = sql`
  ARRAY(SELECT s.transaction_key FROM charge c JOIN seen_refund s ON s.order_id = c.order_id
         WHERE c.id = refund.charge_id ORDER BY 1)`;

/** The columns that a decision writes besides the state. */
export function columnsOf(decision: RefundDecision): SQL | undefined {
  switch (decision.event) {
    case 'send': {
      const lands = sql`engine_now() + make_interval(secs => ${DEADLINE_SECONDS + VOID_LANDS_SECONDS})`;
      return sql`
        method = ${decision.method}, sent_at = engine_now(), before_keys = ${KEYS_BEFORE},
        deadline_at = engine_now() + make_interval(secs => ${DEADLINE_SECONDS})
        ${decision.method === 'void' ? sql`, void_until = ${lands}` : sql``}`;
    }
    case 'store-answer':
      return sql`answer_key = ${decision.transactionKey}, reference = ${decision.reference},
                 batch_key = ${decision.batchKey}`;
    case 'confirm':
    case 'adopt':
      return sql`method = ${decision.method}, transaction_key = ${decision.transactionKey},
                 reference = ${decision.reference}, batch_key = ${decision.batchKey}`;
    case 'not-executed':
    case 'batch-closed':
      return sql`waits_for = ${decision.waitsFor ?? null}`;
    case 'refuse':
      return sql`provider_words = ${decision.words}`;
    case 'hold':
      return sql`held_for = ${decision.heldFor}`;
    case 'keep-asking':
      return sql`
        known_keys = ARRAY(SELECT DISTINCT unnest(known_keys || ${listOf(decision.knownKeys, 'text')}) ORDER BY 1),
        may_make_due = may_make_due OR coalesce(held_for = 'would-be-due', false), first_absent_at = NULL,
        deadline_at = CASE WHEN sent_at IS NOT NULL THEN engine_now() END`;
    default:
      return undefined;
  }
}
