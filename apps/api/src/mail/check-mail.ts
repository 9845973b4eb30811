import type { Deps } from '../deps.ts';
import { countLateMail, isMailStuck } from './mail.queries.ts';

/** Alerts if mail isn't sent in time. A refused mail that waits for its retry isn't late. */
export async function checkMail({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const late = await countLateMail(db.query);
  if (late > 0) log.error({ late, alert: 'mail is late' }, 'mail is due and not sent');
  if (await isMailStuck(db.query)) log.error({ alert: 'no mail goes out' }, 'the mail server takes nothing');
}
