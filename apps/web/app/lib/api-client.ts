import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { type Answer, unanswered } from '@brightpane/ui/forms/ask-server';
import { reportWarning } from '@brightpane/ui/reporting/telemetry';
import { redirect } from 'react-router';
import type { Operation } from './operation-names.ts';
import { type CallOptions, sendRequest } from './send-request.ts';
import { accessToken } from './session/access-token.ts';
import { isOfPagesPerson, pagesPerson } from './session/pages-person.ts';
import { isLoggedIn, readSession } from './session/session.ts';
import { endSession } from './session/session-end.ts';

/**
 * Calls the API and returns data or a problem; it shows nothing itself. A protected call without a session, or one
 * answered with 401, ends the session and throws the redirect to /login. One whose session could not be renewed for want of
 * an answer is a call without an answer. If somebody else has signed in since this
 * page made its first call, nothing is sent: the page starts over as theirs, and the call never returns. If they did it
 * here after this call had begun, the page is theirs already: nothing is sent, and the call has no answer.
 */
export async function callApi<Data = undefined>(
  operation: Operation,
  options: CallOptions = {},
  person = pagesPerson(),
): Promise<Answer<Data>> {
  const endpoint = ENDPOINTS[operation];
  if (endpoint.isPublic) return sendRequest<Data>(endpoint, options);

  const found = await accessToken();
  if (person !== pagesPerson() && isLoggedIn()) return unanswered();
  if (!found.ok) return found;
  const token = found.data;
  if (token === null) throw signedOut();
  if (!isOfPagesPerson(token)) return startOver();
  const answer = await sendRequest<Data>(endpoint, {
    ...options,
    headers: { ...options.headers, Authorization: `Bearer ${token}` },
  });
  if (!answer.ok && answer.problem.status === 401) {
    reportWarning(`401 from ${endpoint.method} ${endpoint.path}`);
    // Another tab has stored a newer token meanwhile, perhaps of a new session. This answer says nothing of that one.
    if (isLoggedIn() && readSession().accessToken !== token) return callApi(operation, options, person);
    throw signedOut();
  }
  return answer;
}

/** Loads the page anew, so that nothing of the person before stays in memory. */
export function startOver(): Promise<never> {
  window.location.replace('/invoices');
  return new Promise(() => {});
}

function signedOut(): Response {
  endSession();
  return redirect('/login');
}
