import { AsyncLocalStorage } from 'node:async_hooks';

/** The request on whose behalf work is done. */
type RequestContext = { requestId: string };

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it starts, on behalf of this request. */
export function inRequest<Result>(requestId: string, work: () => Result): Result {
  return contexts.run({ requestId }, work);
}

/** Undefined in background tasks. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}
