import { sql } from 'drizzle-orm';
import { deliverMail } from '../../../../../apps/api/src/mail/deliver-mail.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import {
  type MailTrouble,
  TroubledMailServer,
} from '../../../../../apps/api/test/mail/troubled-mail-server.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import { attack, begin, CASES, mustAgree, mustBe, type RefundAttack } from './refund-attack.ts';
import type { RefundRig } from './rig.ts';

const TROUBLES: MailTrouble[] = ['down', 'later', 'taken', 'silent'];
/** Longer than a silent mail server rests, and than any retry of a mail waits. */
const REST_SECONDS = 3_700;

/** The refund's only mail, and whether it was sent. */
async function mailOf(
  { portal }: RefundRig,
  refundId: string,
): Promise<{ messageId: string; isSent: boolean }> {
  const { rows } = await portal.deps.db.query.execute<{ id: string; isSent: boolean }>(sql`
    SELECT id, sent_at IS NOT NULL AS "isSent" FROM outgoing_mail
     WHERE refund_id = ${refundId} AND kind = 'refund-made'`);
  must(rows.length === 1, `there are ${rows.length} mails about the refund`);
  const [{ id, isSent } = { id: '', isSent: false }] = rows;
  return { messageId: id, isSent };
}

export const mail: RefundAttack[] = [
  attack(
    'RF82',
    'the mail server is down: the refund is made all the same, and its mail comes once, later',
    6,
    async (rig, round) => {
      const { deps } = rig.portal;
      const server = new TroubledMailServer();
      await server.listen();
      const deliver = () => deliverMail({ ...deps, env: { ...deps.env, SMTP_URL: server.url } });
      try {
        // Deliver what earlier runs left, so that this run's mail is next.
        await deliver();
        server.trouble = variantOf(round, TROUBLES);
        const begun = await begin(rig, CASES[round.run % CASES.length] ?? 'part');
        await sweepAfterBoth(rig, 1);
        await deliver();
        await mustBe(rig, begun.refundId, 'made');
        await mustAgree(rig, begun);
        const { messageId, isSent } = await mailOf(rig, begun.refundId);
        must(!isSent, 'what was not taken counts as sent');

        const isTaken = server.trouble === 'taken';
        server.trouble = null;
        await advanceEngineClock(deps, REST_SECONDS);
        await deliver();
        must((await mailOf(rig, begun.refundId)).isSent, 'the mail has not gone');
        const copies = server.received.filter((each) => each.includes(messageId)).length;
        // A mail that was kept and refused arrives twice with one Message-ID, so readers see it once.
        must(copies === (isTaken ? 2 : 1), `the mail arrived ${copies} times`);
      } finally {
        server.close();
      }
    },
  ),
];
