import { assertNoOpenTransaction } from '../db/client.ts';
import { isThisMachine } from '../plain-connections.ts';
import type { Trace } from '../reporting/reporter.ts';
import { Connections } from './connections.ts';
import { countDown } from './count-down.ts';
import { type OneAnswer, type OneCall, sendOnce } from './send-once.ts';

const CALL_MILLISECONDS = 20_000;

export type CallerOptions = {
  baseUrl: string;
  /** The time limit of one call. */
  callMilliseconds?: number | undefined;
  /** Times every call. */
  trace?: Trace | undefined;
  /** Called with every answer, or its absence. */
  onAnswer?: ((answer: OneAnswer) => void) | undefined;
};

export type ProviderCall = { method: 'GET' | 'POST'; path: string; body?: object } & Partial<
  Pick<OneCall, 'millisecondsLeft' | 'onProgress'>
>;

/** How every adapter sends: each call once, within its time, encrypted, and with no transaction open. */
export function openCaller(
  options: CallerOptions & { authorization: () => string },
): (call: ProviderCall) => Promise<OneAnswer> {
  const { baseUrl, callMilliseconds = CALL_MILLISECONDS, trace = untimed, onAnswer, authorization } = options;
  refuseUnsafeUrl(baseUrl);
  // An account's own: no other account could ever be told its answers.
  const connections = new Connections(baseUrl);

  return async (call) => {
    assertNoOpenTransaction();
    const callLeft = countDown(callMilliseconds);
    const { millisecondsLeft = callLeft } = call;
    const answer = await trace({ name: describeCall(call), kind: 'http.client' }, () =>
      sendOnce(
        {
          url: new URL(`${baseUrl}${call.path}`),
          method: call.method,
          headers: { authorization: authorization() },
          ...(call.body && { body: JSON.stringify(call.body) }),
          millisecondsLeft: () => Math.min(callLeft(), millisecondsLeft()),
          onProgress: call.onProgress,
        },
        connections,
      ),
    );
    onAnswer?.(answer);
    return answer;
  };
}

function refuseUnsafeUrl(baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisMachine(hostname))) {
    throw new Error("The card provider's address must be https, except on this machine itself");
  }
}

const untimed: Trace = (_step, work) => work();

/** Names a call by its resource, without keys. */
function describeCall({ method, path }: ProviderCall): string {
  return `card provider ${method} ${/^\/\w+/.exec(path)?.[0] ?? ''}`;
}
