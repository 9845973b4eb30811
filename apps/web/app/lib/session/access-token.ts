import type { Tokens } from '@brightpane/contract/customers/authentication';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { NO_ANSWER } from '@brightpane/contract/wait-advice';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { reportWarning } from '@brightpane/ui/reporting/telemetry';
import { reportError } from '../report-error.ts';
import { sendRequest } from '../send-request.ts';
import { type PagesPerson, pagesPerson } from './pages-person.ts';
import { readSession, storeSession } from './session.ts';
import { endSession } from './session-end.ts';

/** `null`: not signed in, or no longer. A problem: nobody answered the refresh, so whether they are is not known. */
type TokenFound = Answer<string | null>;

const LOCK = 'auth.refresh';
const MORE_TRIES = 2;
const BETWEEN_TRIES_MILLISECONDS = 1000;

let inFlight: { person: PagesPerson; token: Promise<TokenFound> } | null = null;

/**
 * The bearer token for a protected call, refreshed if it has expired. Concurrent callers share one refresh and tabs take
 * turns, so that each refresh token is used once. Nobody waits for the refresh of whoever was signed in here before.
 */
export function accessToken(): Promise<TokenFound> {
  const person = pagesPerson();
  if (inFlight?.person === person) return inFlight.token;
  const token = findToken().finally(() => {
    if (inFlight?.token === token) inFlight = null;
  });
  inFlight = { person, token };
  return token;
}

async function findToken(): Promise<TokenFound> {
  const token = freshToken();
  if (token !== null) return found(token);
  return underLock(async () => {
    const fetchedMeanwhile = freshToken();
    return fetchedMeanwhile === null ? refresh() : found(fetchedMeanwhile);
  });
}

const found = (token: string | null): TokenFound => ({ ok: true, data: token });

function freshToken(): string | null {
  const { accessToken, tokenExpiration } = readSession();
  return accessToken && tokenExpiration && tokenExpiration > new Date() ? accessToken : null;
}

async function refresh(): Promise<TokenFound> {
  const { refreshToken } = readSession();
  if (refreshToken === null) {
    reportWarning('No refresh token');
    return found(null);
  }
  const answer = await askForTokens(refreshToken);
  // Somebody signed out or in meanwhile, so this answer is stale.
  if (readSession().refreshToken !== refreshToken) return found(freshToken());
  if (answer.ok) {
    storeSession(answer.data);
    return found(answer.data.accessToken);
  }
  reportError('refresh', answer.problem);
  // No answer keeps the session: the person may just be in a tunnel.
  if (answer.problem.status === NO_ANSWER) return answer;
  endSession();
  return found(null);
}

async function askForTokens(refreshToken: string): Promise<Answer<Tokens>> {
  let answer = await sendRequest<Tokens>(ENDPOINTS.refresh, { body: { refreshToken } });
  for (let more = MORE_TRIES; more > 0 && !answer.ok && isPassing(answer.problem.status); more--) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MILLISECONDS));
    answer = await sendRequest<Tokens>(ENDPOINTS.refresh, { body: { refreshToken } });
  }
  return answer;
}

const isPassing = (status: number) => status === 429 || status >= 500;

/** Browsers offer locks only to secure pages; elsewhere tabs don't coordinate. */
function underLock<Result>(task: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(LOCK, task) : task();
}
