import type { Deps } from '../deps.ts';
import { countLateMail, isMailStuck } from './mail.queries.ts';

/** Cries out when mail is not sent in time. What is refused and tried again later is not late. */
export async function checkMail({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const late = await countLateMail(db.query);
  if (late > 0) log.error({ late, alert: 'mail is late' }, 'mail is due and not sent');
  if (await isMailStuck(db.query)) log.error({ alert: 'no mail goes out' }, 'the mail server takes nothing');
}
