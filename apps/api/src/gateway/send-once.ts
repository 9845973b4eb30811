import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

export type OneCall = {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | undefined;
  millisecondsLeft: () => number;
  onProgress?: ((step: 'connected' | 'written') => void) | undefined;
};

/** The result of a call on the wire. `lost`: bytes went out, and no complete answer came back. */
export type OneAnswer =
  | { kind: 'answer'; status: number; text: string }
  | { kind: 'not-sent' }
  | { kind: 'lost'; reason: 'timed-out' | 'cut' | 'unreadable' };

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CONNECT_MILLISECONDS = 10_000;

/**
 * Sends one request on its own socket, at most once: no pool with stale sockets that would need a retry, no redirects,
 * no endless answer. Never throws.
 */
export async function sendOnce(call: OneCall): Promise<OneAnswer> {
  const socket = await connect(call.url, Math.min(CONNECT_MILLISECONDS, call.millisecondsLeft()));
  if (!socket) return { kind: 'not-sent' };
  call.onProgress?.('connected');
  const left = call.millisecondsLeft();
  if (left <= 0) {
    socket.destroy();
    return { kind: 'not-sent' };
  }
  try {
    return await exchange(call, socket, left);
  } finally {
    socket.destroy();
  }
}

/** Opens a socket and checks its certificate; `null` if that takes too long or fails. */
function connect(url: URL, milliseconds: number): Promise<net.Socket | null> {
  if (milliseconds <= 0) return Promise.resolve(null);
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (isSecure ? 443 : 80);
  return new Promise((resolve) => {
    const socket = isSecure
      ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
      : net.connect({ host, port });
    const timer = setTimeout(() => finish(null), milliseconds);
    const finish = (result: net.Socket | null) => {
      clearTimeout(timer);
      socket.off('error', fail);
      // The request hears of later errors too; this only keeps them from being unhandled.
      socket.on('error', () => {});
      if (!result) socket.destroy();
      resolve(result);
    };
    const fail = () => finish(null);
    socket.on('error', fail);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => finish(socket));
  });
}

function exchange(call: OneCall, socket: net.Socket, milliseconds: number): Promise<OneAnswer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ kind: 'lost', reason: 'timed-out' }), milliseconds);
    const finish = (answer: OneAnswer) => {
      clearTimeout(timer);
      request.destroy();
      resolve(answer);
    };
    const request = (call.url.protocol === 'https:' ? https : http).request(call.url, {
      method: call.method,
      headers: {
        ...call.headers,
        accept: 'application/json',
        connection: 'close',
        ...(call.body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(call.body)),
        }),
      },
      createConnection: () => socket,
    });
    request.on('error', () => finish({ kind: 'lost', reason: 'cut' }));
    request.on('close', () => finish({ kind: 'lost', reason: 'cut' }));
    request.on('response', (response) => readWhole(response, finish));
    request.end(call.body, () => call.onProgress?.('written'));
  });
}

function readWhole(response: http.IncomingMessage, finish: (answer: OneAnswer) => void): void {
  // We didn't ask for compression, and a small answer may decompress to any size.
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
    finish({ kind: 'lost', reason: 'unreadable' });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) finish({ kind: 'lost', reason: 'unreadable' });
    else chunks.push(chunk);
  });
  response.on('error', () => finish({ kind: 'lost', reason: 'cut' }));
  response.on('end', () => {
    const text = response.complete ? decode(Buffer.concat(chunks)) : undefined;
    if (text === undefined) finish({ kind: 'lost', reason: 'unreadable' });
    else finish({ kind: 'answer', status: response.statusCode ?? 0, text });
  });
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
