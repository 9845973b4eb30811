import type { Problem, ProblemError } from '@brightpane/contract/problem';

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** For requests that can't be parsed. */
export const UNREADABLE = 'We could not read this request.';

export function problemBody(status: number, detail: string, errors: ProblemError[] = []): Problem {
  return { title: TITLES[status] ?? 'Error', status, detail, errors };
}

/** A throwable HTTP answer; every refusal in words is sent this way. */
export class HttpProblem extends Error {
  readonly body: Problem;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    detail: string,
    options: { errors?: ProblemError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.body = problemBody(status, detail, options.errors);
    this.headers = options.headers ?? {};
  }
}
