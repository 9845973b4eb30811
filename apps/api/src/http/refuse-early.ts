import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { problemBody, UNREADABLE } from './problem.ts';
import { BARE_HEADERS, protectiveHeaders } from './protective-headers.ts';

const headersOf = (publicUrl: string) => ({
  ...protectiveHeaders(publicUrl),
  ...BARE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
});

/**
 * Ends a request whose connection is gone: reset before anybody asked for its address, so that no limit could count it, or
 * destroyed by us while further requests of the same bytes were still being read. Nobody is left to answer. Comes before
 * every other hook. Node remembers an address that was read once, so it stays known.
 */
export const dropGone: onRequestHookHandler = ({ ip, raw }, _reply, done) => {
  if (ip === undefined || raw.socket.destroyed) raw.socket.destroy();
  else done();
};

/** Answers a URL that the router can't parse. */
export function refuseAddresses({ publicUrl }: { publicUrl: string }) {
  const headers = headersOf(publicUrl);
  return (_error: FastifyError, { id }: FastifyRequest, reply: FastifyReply): void => {
    reply.code(400).headers(headers).header('x-request-id', id).send(problemBody(400, UNREADABLE));
  };
}

const REFUSALS: Record<string, readonly [status: number, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'This request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of this request are too large.'],
};

/**
 * Answers bytes that aren't a request, or take too long to become one, and ends their connection `lingerSeconds` later. No
 * route, hook or error handler sees them.
 */
export function refuseConnections({
  publicUrl,
  lingerSeconds,
}: {
  publicUrl: string;
  lingerSeconds: number;
}) {
  const headers = headersOf(publicUrl);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Further bytes after a refusal. Destroyed now, the connection would be reset before the refusal could be read.
    if (socket.writableEnded && error.code !== 'ECONNRESET') return;
    // Otherwise it stays open for as long as the client likes: neither Node nor Fastify limits it any more.
    socket.once('finish', () => setTimeout(() => socket.destroy(), lingerSeconds * 1000).unref());
    refuse(error, socket, headers);
  };
}

function refuse(error: NodeJS.ErrnoException, socket: Socket, headers: Record<string, string>): void {
  // If another answer is in progress on this connection, a second one would be read as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const [status, detail] = REFUSALS[error.code ?? ''] ?? [400, UNREADABLE];
  const problem = problemBody(status, detail);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${problem.title}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Whether an answer's headers have been sent but not its end. */
const isAnswering = (socket: Socket) => answerOf(socket)?.headersSent === true;

/** Whether a request is there of which nothing has been answered yet. */
export const isAwaited = (socket: Socket) => answerOf(socket)?.headersSent === false;

/** The answer whose turn it is. Node exposes it only in an internal field. */
function answerOf(socket: Socket): { headersSent: boolean } | null {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return answer ?? null;
}
