import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { type Problem, problemSchema } from '@brightpane/contract/problem';
import { CliFailure } from './cli-failure.ts';

export type OfficeClient = {
  /** The portal's address. */
  url: string;
  /** Makes one of the office's calls. Throws a CliFailure in the portal's own words if it is refused. */
  call<Answer>(name: OfficeCall, given?: Given): Promise<Answer>;
  /** Throws a CliFailure with the reason unless the portal can work. */
  requireReady(): Promise<void>;
};

type OfficeCall = keyof typeof OFFICE_ENDPOINTS;
type Given = { params?: Record<string, string>; query?: Record<string, string> } & (
  | { json?: unknown }
  | { stream: ReadableStream; contentType: string }
);

/** How long a call may take with its whole answer. */
type Limits = { milliseconds: number; longMilliseconds: number };

const LIMITS: Limits = { milliseconds: 15_000, longMilliseconds: 30 * 60_000 };
/** Calls that wait for other imports, or for the provider's lists. */
const LONG: ReadonlySet<OfficeCall> = new Set<OfficeCall>(['import', 'reconcile', 'review', 'decide']);

/** What the portal says of a key that it does not know. */
const KEY_UNKNOWN = 'This key is not known.';

/** A client for the portal that the settings name; by default the one that `npm start` runs. */
export function createOfficeClient(
  env: Record<string, string | undefined>,
  { milliseconds, longMilliseconds }: Limits = LIMITS,
): OfficeClient {
  const url = (env.PUBLIC_URL || `http://127.0.0.1:${env.PORT || 3000}`).replace(/\/+$/, '');
  const office = { setting: 'OFFICE_API_KEY', keys: env.OFFICE_API_KEY || 'dev-office-key' };
  // Where the portal has no operator's key, as in the demo, the office's is the operator's too.
  const operator = env.OPERATOR_KEY ? { setting: 'OPERATOR_KEY', keys: env.OPERATOR_KEY } : office;

  async function send(
    path: string,
    { isLong = false, ...init }: RequestInit & { isLong?: boolean } = {},
  ): Promise<{ answer: Response; text: string }> {
    const limit = isLong ? longMilliseconds : milliseconds;
    const signal = AbortSignal.timeout(limit);
    let hasBegun = false;
    try {
      const answer = await fetch(`${url}${path}`, { ...init, signal });
      hasBegun = true;
      return { answer, text: await answer.text() };
    } catch (error) {
      if (signal.aborted)
        throw new CliFailure(
          `The portal at ${url} has not answered within ${limit / 1000} seconds.${doubtWords(init.method)}`,
        );
      if (hasBegun)
        throw new CliFailure(`The answer of the portal at ${url} broke off.${doubtWords(init.method)}`);
      const cause: NodeJS.ErrnoException | undefined =
        error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
      // After five minutes, as an import may that waits for others.
      if (cause?.code === 'UND_ERR_HEADERS_TIMEOUT')
        throw new CliFailure(`The portal at ${url} has not answered yet. It may still do what it was asked.`);
      // Where a name has several addresses, the error has no message of its own.
      const why = cause ? cause.message || cause.code : error;
      throw new CliFailure(`The portal does not answer at ${url} (${why}). Is it running?`);
    }
  }

  return {
    url,
    async call<Answer>(name: OfficeCall, given: Given = {}): Promise<Answer> {
      const { method, path, keys } = OFFICE_ENDPOINTS[name];
      const isForOperator = String(keys).startsWith('operator');
      const credential = isForOperator ? operator : office;
      const [key = ''] = credential.keys.split(',');
      const search = given.query ? `?${new URLSearchParams(given.query)}` : '';
      const { answer, text } = await send(`/api${withParams(path, given.params)}${search}`, {
        method,
        isLong: LONG.has(name),
        headers: { authorization: `Bearer ${key}`, ...typeOf(given) },
        ...bodyOf(given),
      });
      if (answer.ok) return (answer.status === 204 ? undefined : readAnswer(text, url)) as Answer;
      const problem = readProblem(text);
      if (problem?.detail === KEY_UNKNOWN)
        throw new CliFailure(`The portal at ${url} does not know this ${credential.setting}.`);
      if (answer.status === 403 && problem && isForOperator && credential === office)
        throw new CliFailure('This needs OPERATOR_KEY: set it for the portal and for this command.');
      const message = problem?.detail ?? notThePortal(url, { status: answer.status, method });
      throw new CliFailure(message, detailsOf(problem), answer.status);
    },
    async requireReady() {
      const { answer, text } = await send('/api/health/ready');
      if (answer.ok) return;
      const problem = readProblem(text);
      throw new CliFailure(
        problem ? `The portal is not ready: ${problem.detail}` : notThePortal(url, answer),
      );
    },
  };
}

const onlyReads = (method = 'GET') => method === 'GET';

/** What follows the news that a call got no answer. */
const doubtWords = (method?: string) => (onlyReads(method) ? '' : ' It may still do what it was asked.');

/**
 * The portal refuses with a problem: what has none is another program, such as a proxy in front of a portal that is dead
 * or slow. With a 5xx it says that it got no answer.
 */
function notThePortal(url: string, { status, method }: { status: number; method?: string }): string {
  const words = `What answered ${status} at ${url} is not the portal. Does the portal run, is this its address, and does a proxy let the call through?`;
  return status >= 500 && !onlyReads(method) ? `${words} The portal may still do what it was asked.` : words;
}

function withParams(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
}

function typeOf(given: Given): Record<string, string> {
  if ('stream' in given) return { 'content-type': given.contentType };
  return given.json === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyOf(given: Given): RequestInit {
  // `fetch` refuses a stream without `duplex`, which the DOM's types don't know.
  if ('stream' in given) return { body: given.stream, duplex: 'half' } as RequestInit;
  return given.json === undefined ? {} : { body: JSON.stringify(given.json) };
}

/** Details beyond the problem's own sentence. */
function detailsOf(problem: Problem | undefined): string[] {
  return (problem?.errors ?? [])
    .filter(({ description }) => description !== problem?.detail)
    .map(({ description, field }) => (field ? `${field}: ${description}` : description));
}

function readAnswer(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFailure(
      `What answers at ${url} is not the portal, or something in between changes its answers.`,
    );
  }
}

function readProblem(text: string): Problem | undefined {
  try {
    const parsed = problemSchema.safeParse(JSON.parse(text));
    return parsed.data;
  } catch {
    return undefined;
  }
}
