import { AsyncLocalStorage } from 'node:async_hooks';

/** The request on whose behalf something is done. */
type RequestContext = { requestId: string };

const contexts = new AsyncLocalStorage<RequestContext>();

/** Everything that `work` begins is done on behalf of this request. */
export function inRequest<Result>(requestId: string, work: () => Result): Result {
  return contexts.run({ requestId }, work);
}

/** Nothing in background tasks. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}
