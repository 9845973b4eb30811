import type { Deps } from '../deps.ts';
import { backOffSeconds } from '../jobs/back-off.ts';
import { workTogether } from '../jobs/work-together.ts';
import {
  dropMail,
  type LeasedMail,
  leaseDueMails,
  markMailSent,
  postponeMail,
  postponeWithServer,
} from './mail.queries.ts';
import {
  noteMailServerAnswer,
  restMailServer,
  returnMailProbe,
  takeMailProbe,
} from './mail-server.queries.ts';
import { sendMail } from './send-mail.ts';

const MAX_REFUSALS = 10;
const GIVE_UP_AFTER_DAYS = 2;
const WORKERS = 4;

/**
 * Sends every mail that is due. A mail that fails is retried later and holds up no other. If the server doesn't answer,
 * backs off, and then tries one mail instead of all.
 */
export async function deliverMail(
  deps: Deps,
  { isStopping }: { isStopping?: () => boolean } = {},
): Promise<void> {
  await probe(deps);
  await workTogether({
    workers: WORKERS,
    take: (most) => leaseDueMails(deps.db.query, { most }),
    work: async (mail) => void (await deliver(deps, mail)),
    isStopping,
  });
}

/** Sends one mail to find out whether a silent server answers again. */
async function probe(deps: Deps): Promise<void> {
  const { query } = deps.db;
  if (!(await takeMailProbe(query))) return;
  const [mail] = await leaseDueMails(query, { most: 1, asProbe: true });
  if (!mail) return returnMailProbe(query);
  if ((await deliver(deps, mail)) === 'answered') await noteMailServerAnswer(query);
}

async function deliver(deps: Deps, mail: LeasedMail): Promise<'answered' | 'no-answer'> {
  const { db, env } = deps;
  try {
    await sendMail(env.SMTP_URL, {
      from: env.MAIL_FROM,
      to: { name: '', address: mail.recipient },
      // The same for every attempt, so that mail programs show a mail sent twice only once.
      messageId: `<${mail.id}@${new URL(env.PUBLIC_URL).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...mail.content,
    });
  } catch (error) {
    const answer = answerOf(error);
    if (answer === null) await restMailServer(db.query);
    await tryLater(deps, mail, {
      code: errorCode(error),
      isRefused: (answer ?? 0) >= 500,
      // A mail whose recipient the server knows may be what it hangs at: that mail backs off on its own, even as a probe.
      isServerDown: answer === null && !knowsRecipient(error),
    });
    return answer === null ? 'no-answer' : 'answered';
  }
  await markMailSent(db.query, mail);
  return 'answered';
}

async function tryLater(
  deps: Deps,
  mail: LeasedMail,
  { code, isRefused, isServerDown }: { code: string; isRefused: boolean; isServerDown: boolean },
): Promise<void> {
  const tooOld = mail.ageDays > GIVE_UP_AFTER_DAYS;
  // Log only the code, as the server's words may contain the address.
  const facts = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, code };
  if (tooOld || (isRefused && mail.refusals + 1 >= MAX_REFUSALS)) {
    deps.log.error(facts, 'mail given up');
    await dropMail(deps.db.query, mail);
    return;
  }
  deps.log.warn(facts, 'mail not sent yet');
  if (isServerDown) return postponeWithServer(deps.db.query, mail);
  await postponeMail(deps.db.query, mail, { seconds: backOffSeconds(mail.attempts), isRefused });
}

/** The client's error codes that are about the mail itself: its recipient or content. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE', 'ESTREAM']);
const SERVICE_NOT_AVAILABLE = 421;

/**
 * The server's SMTP code for this mail, or 0 if the mail never reached it; `null`: the server took no mail at all. Our
 * sender is the same for every mail, so a server that refuses it would refuse them all.
 */
function answerOf(error: unknown): number | null {
  if (!ABOUT_THE_MAIL.has(errorCode(error))) return null;
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  if (responseCode === undefined) return 0;
  return responseCode === SERVICE_NOT_AVAILABLE || command === 'MAIL FROM' ? null : responseCode;
}

const knowsRecipient = (error: unknown): boolean =>
  error instanceof Error && 'knowsRecipient' in error && error.knowsRecipient === true;

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
