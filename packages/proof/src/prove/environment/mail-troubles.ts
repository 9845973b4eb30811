import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { deliverMail } from '../../../../../apps/api/src/mail/deliver-mail.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import {
  type MailTrouble,
  TroubledMailServer,
} from '../../../../../apps/api/test/mail/troubled-mail-server.ts';
import type { Attack } from '../attack.ts';
import { pressAt } from '../races/pay.ts';
import { makeWish } from './pay-in-the-end.ts';
import type { EnvironmentRig } from './rig.ts';

const TROUBLES: MailTrouble[] = ['down', 'later', 'never', 'taken', 'later', 'silent'];
const MOST_REFUSALS = 10;

export const mailTroubles: Attack<EnvironmentRig>[] = [
  {
    id: 'F43',
    name: 'mail that cannot be sent holds up no payment, comes later, and is given up in the end',
    runs: TROUBLES.length * 2,
    async run(rig, { run }) {
      const mail = new TroubledMailServer();
      await mail.listen();
      rig.afterRun.push(async () => mail.close());
      const deliver = () => deliverMail(reaching(rig, mail));
      await forgetMail(rig);

      const trouble = TROUBLES[run % TROUBLES.length] ?? 'down';
      mail.trouble = trouble;
      await pay(rig);
      const delivering = deliver();
      await pay(rig);
      await delivering;
      const refusals = trouble === 'never' ? MOST_REFUSALS : 1;
      for (let refused = 0; refused < refusals; refused++) await makeDue(rig).then(deliver);
      mustHold(
        (await listMail(rig)).every(({ sent }) => !sent),
        'what was refused counts as sent',
      );

      mail.trouble = null;
      await makeDue(rig);
      await deliver();
      const mails = await listMail(rig);
      mustHold(mails.length === 2, `there are ${mails.length} receipts of two payments`);
      const isGivenUp = trouble === 'never';
      mustHold(
        mails.every(({ sent, due }) => sent !== isGivenUp && !due),
        isGivenUp ? 'a mail is not given up' : 'a mail was not sent in the end',
      );
      const different = new Set(mail.received).size;
      mustHold(different === (isGivenUp ? 0 : 2), `${different} different mails have arrived`);
    },
  },
];

function reaching(rig: EnvironmentRig, { url }: TroubledMailServer): Deps {
  const { deps } = rig.instances[0];
  return { ...deps, env: { ...deps.env, SMTP_URL: url } };
}

/** Pays as a customer, which queues a receipt. */
async function pay(rig: EnvironmentRig): Promise<void> {
  const wish = await makeWish(rig, { accounts: 1 });
  const told = await pressAt(rig, rig.instances[0], await wish.press());
  mustHold(told.heard === 'paid', `a payment heard ${told.status}`);
}

const pool = ({ instances: [{ deps }] }: EnvironmentRig) => deps.db.pool;

/** Deletes the mail of earlier runs. */
async function forgetMail(rig: EnvironmentRig): Promise<void> {
  await pool(rig).query('DELETE FROM outgoing_mail');
}

/** Longer than the back-off of a mail server that doesn't answer. */
const REST_SECONDS = 301;

/** Moves the clock to the next attempt. */
async function makeDue(rig: EnvironmentRig): Promise<void> {
  await advanceEngineClock(rig.instances[0].deps, REST_SECONDS);
  await pool(rig).query(
    'UPDATE outgoing_mail SET next_try_at = clock_timestamp() WHERE next_try_at IS NOT NULL',
  );
}

async function listMail(rig: EnvironmentRig): Promise<{ sent: boolean; due: boolean }[]> {
  const { rows } = await pool(rig).query<{ sent: boolean; due: boolean }>(
    'SELECT sent_at IS NOT NULL AS sent, next_try_at IS NOT NULL AS due FROM outgoing_mail',
  );
  return rows;
}

function mustHold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
