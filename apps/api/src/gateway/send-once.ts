import http from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type { Connections } from './connections.ts';

export type OneCall = {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | undefined;
  millisecondsLeft: () => number;
  onProgress?: ((step: 'connected' | 'written') => void) | undefined;
};

/**
 * The result of a call on the wire. `lost`: bytes went out, and no complete answer came back. `hasWaited`: no connection
 * came about in the time that it had.
 */
export type OneAnswer =
  | { kind: 'answer'; status: number; text: string }
  | { kind: 'not-sent'; hasWaited?: true }
  | { kind: 'lost'; reason: 'timed-out' | 'cut' | 'unreadable' };

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CONNECT_MILLISECONDS = 10_000;

/**
 * Sends one request, at most once: a connection that breaks is never replaced by another, no redirects, no endless
 * answer. Never throws.
 */
export async function sendOnce(call: OneCall, connections: Connections): Promise<OneAnswer> {
  const socket = await connections.take(Math.min(CONNECT_MILLISECONDS, call.millisecondsLeft()));
  if (socket === 'refused') return { kind: 'not-sent' };
  if (socket === 'timed-out') return { kind: 'not-sent', hasWaited: true };
  call.onProgress?.('connected');
  const left = call.millisecondsLeft();
  if (left <= 0) {
    socket.destroy();
    return { kind: 'not-sent' };
  }
  let isFree = false;
  const answer = await exchange(call, socket, left, (response) => {
    isFree = connections.mayKeep(response);
  });
  if (isFree && answer.kind === 'answer') connections.keep(socket);
  else socket.destroy();
  return answer;
}

function exchange(
  call: OneCall,
  socket: net.Socket,
  milliseconds: number,
  onFree: (response: http.IncomingMessage) => void,
): Promise<OneAnswer> {
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
        // Without this header a server may choose any encoding.
        'accept-encoding': 'identity',
        connection: 'keep-alive',
        ...(call.body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(call.body)),
        }),
      },
      createConnection: () => socket,
    });
    request.on('error', () => finish({ kind: 'lost', reason: 'cut' }));
    request.on('close', () => finish({ kind: 'lost', reason: 'cut' }));
    request.on('response', (response) => {
      // Node emits this once request and answer are complete, if both sides keep the connection.
      socket.once('free', () => onFree(response));
      readWhole(response, finish);
    });
    request.end(call.body, () => call.onProgress?.('written'));
  });
}

function readWhole(response: http.IncomingMessage, finish: (answer: OneAnswer) => void): void {
  // A small answer may decompress to any size, so we ask for none that is encoded and read none.
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
