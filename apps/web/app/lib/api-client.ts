import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { reportWarning } from '@brightpane/ui/reporting/telemetry';
import { redirect } from 'react-router';
import type { Operation } from './operation-names.ts';
import { type CallOptions, sendRequest } from './send-request.ts';
import { accessToken } from './session/access-token.ts';
import { endSession } from './session/session-end.ts';

/**
 * Calls the API and returns data or a problem; it shows nothing itself. A protected call without a session, or one
 * answered with 401, ends the session and throws the redirect to /login.
 */
export async function callApi<Data = undefined>(
  operation: Operation,
  options: CallOptions = {},
): Promise<Answer<Data>> {
  const endpoint = ENDPOINTS[operation];
  if (endpoint.isPublic) return sendRequest<Data>(endpoint, options);

  const token = await accessToken();
  if (token === null) throw signedOut();
  const answer = await sendRequest<Data>(endpoint, {
    ...options,
    headers: { ...options.headers, Authorization: `Bearer ${token}` },
  });
  if (!answer.ok && answer.problem.status === 401) {
    reportWarning(`401 from ${endpoint.method} ${endpoint.path}`);
    throw signedOut();
  }
  return answer;
}

function signedOut(): Response {
  endSession();
  return redirect('/login');
}
