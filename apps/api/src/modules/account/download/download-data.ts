import { openSnapshot } from '../../../db/snapshots/open-snapshot.ts';
import type { Deps } from '../../../deps.ts';
import { openInPlace } from '../../../http/open-in-place.ts';
import { fail, ok } from '../../../http/result.ts';
import { streamText } from '../../../http/stream-text.ts';
import { createPlaces } from '../../../http/turns.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { dataDownloadedMail } from '../../../mail/templates/account-news.ts';
import type { UserRow } from '../../auth/users/users.queries.ts';
import { checkLimits, countAgainst } from '../../limits/check-limits.ts';
import { downloadGuard } from '../account-limits.ts';
import { askPasswordAgain, lockVerified, type PasswordAgain } from '../ask-password-again.ts';
import { readDay } from './download.queries.ts';
import { readData } from './read-data.ts';

/** Each download has its own database connection, separate from the office's exports. */
const places = createPlaces(2);
/** A little less than our page waits for an answer, so that a place isn't held for a reader who has gone. */
const LIMITS = { longestMilliseconds: 85_000, stalledMilliseconds: 30_000 };

/** Streams an account's data as a file. The account is told by mail before the first byte is sent. */
export async function downloadData(deps: Deps, given: PasswordAgain) {
  const again = await askPasswordAgain(deps, given);
  if (!again.ok) return again;
  const { userId, sessionId } = given;
  const leave = places.take();
  if (leave === null) return fail('downloads-busy');
  const open = () =>
    openSnapshot({
      url: deps.env.DATABASE_URL,
      applicationName: 'brightpane download',
      wakeUps: deps.db.wakeUps,
      owner: userId,
    });
  return openInPlace(leave, open, async (connection, end) => {
    const endWith = async <Refusal>(refusal: Refusal) => {
      await end();
      return refusal;
    };
    if (connection === null) return endWith(fail('download-under-way'));
    const admitted = await admit(deps, again.value, given.password);
    if (!admitted.ok) return endWith(admitted);
    deps.log.info({ userId }, 'data downloaded');
    const name = `brightpane-${await readDay(connection.query)}.json`;
    const pieces = readData(deps, connection.query, { userId, sessionId });
    return ok({ name, stream: streamText(pieces, { ...LIMITS, end }) });
  });
}

/**
 * Counts and announces a download in one commit. An account has at most one in progress, so none slips past the limit.
 */
async function admit(deps: Deps, verified: UserRow, password: string) {
  const guards = [downloadGuard(verified.id)];
  const checked = await checkLimits(deps, guards);
  if (!checked.ok) return checked;
  return deps.db.transaction(async (tx) => {
    const locked = await lockVerified(tx, verified, password);
    if (!locked.ok) return locked;
    await countAgainst({ ...deps, db: { query: tx } }, guards);
    const content = dataDownloadedMail({ passwordUrl: `${deps.env.PUBLIC_URL}/mail/password` });
    await queueMail(tx, { kind: 'data-downloaded', recipient: locked.value.email, content });
    return ok(undefined);
  });
}
