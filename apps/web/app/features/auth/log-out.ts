import { forgetMailLink } from '@brightpane/ui/mail-link/mail-link';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { forgetScannedNumbers } from '../../lib/scanned-numbers.ts';
import { forgetMadeAccount } from '../../lib/session/made-account.ts';
import { forgetPagesPerson } from '../../lib/session/pages-person.ts';
import { forgetPaidState } from '../../lib/session/paid-state.ts';
import { forgetReturnPath } from '../../lib/session/return-path.ts';
import { clearSession, readSession } from '../../lib/session/session.ts';
import { forgetSessionEnd } from '../../lib/session/session-end.ts';
import { forgetUserStore } from '../../lib/session/user-store.ts';

/** Leaves nothing of the person in this browser. It tells the server to end the session, without waiting for it. */
export function logOut(): void {
  const { refreshToken } = readSession();
  clearSession();
  forgetSessionEnd();
  forgetPagesPerson();
  forgetUserStore();
  forgetReturnPath();
  forgetScannedNumbers();
  forgetPaidState();
  forgetMadeAccount();
  forgetMailLink();
  if (refreshToken !== null) void endSession(refreshToken);
}

async function endSession(refreshToken: string): Promise<void> {
  const answer = await callApi('logout', { body: { refreshToken } });
  if (!answer.ok) reportError('logout', answer.problem);
}
