import { sql } from 'drizzle-orm';
import type { Transporter } from 'nodemailer';
import type { Deps } from '../deps.ts';
import { wake } from '../jobs/wake.ts';
import { dropMail, type LeasedMail, leaseDueMail, markMailSent, postponeMail } from './mail.queries.ts';

const BACK_OFF_SECONDS = [5, 15, 60, 300, 900, 3600];
const MAX_REFUSALS = 10;
const GIVE_UP_AFTER_DAYS = 2;

/** Sends every mail that is due. A mail that cannot be sent is tried again later and holds up no other. */
export async function deliverMail(deps: Deps): Promise<void> {
  let mail = await leaseDueMail(deps.db.query);
  if (!mail) return;
  const transport = await openTransport(deps);
  try {
    for (; mail; mail = await leaseDueMail(deps.db.query)) await deliver(deps, transport, mail);
  } finally {
    transport.close();
  }
}

async function openTransport({ env }: Pick<Deps, 'env'>): Promise<Transporter> {
  // A tenth of the portal's code, for which many an hour has no use.
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    url: env.SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}

async function deliver(deps: Deps, transport: Transporter, mail: LeasedMail): Promise<void> {
  deps.crashPoint('15-before-mail');
  try {
    await transport.sendMail({
      from: deps.env.MAIL_FROM,
      to: { name: '', address: mail.recipient },
      // The same at every attempt, so that a mail that was sent twice is shown once.
      messageId: `<${mail.id}@${new URL(deps.env.PUBLIC_URL).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...mail.content,
    });
  } catch (error) {
    await tryLater(deps, mail, error);
    return;
  }
  deps.crashPoint('16-after-mail');
  await markMailSent(deps.db.query, mail);
  deps.crashPoint('48-mail-marked');
}

async function tryLater(deps: Deps, mail: LeasedMail, error: unknown): Promise<void> {
  const refused = error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
  const tooOld = mail.ageDays > GIVE_UP_AFTER_DAYS;
  // The server's words may repeat the address, so only its code is logged.
  const facts = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, code: errorCode(error) };
  if (tooOld || (refused && mail.attempts >= MAX_REFUSALS)) {
    deps.log.error(facts, 'mail given up');
    await dropMail(deps.db.query, mail);
    return;
  }
  deps.log.warn(facts, 'mail not sent yet');
  const seconds = BACK_OFF_SECONDS[Math.min(mail.attempts, BACK_OFF_SECONDS.length) - 1] ?? 3600;
  const runAt = await postponeMail(deps.db.query, mail, sql`make_interval(secs => ${seconds})`);
  deps.crashPoint('49-mail-postponed');
  if (runAt) await wake(deps.db.query, 'deliver-mail', { runAt });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
