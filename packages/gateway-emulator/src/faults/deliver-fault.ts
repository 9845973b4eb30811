import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { errorText } from '../error-codes.ts';
import type { Fault, FaultKind } from './fault.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const OVERSIZED_BYTES = 10 * 1024 * 1024;
const BOMB_BYTES = 64 * 1024 * 1024;
const SLOW_BYTE_SECONDS = 1;
const SLOW_HEADER_SECONDS = 30;

const ERRORCODES: Record<number, number> = { 401: 21002, 403: 156, 404: 21001, 429: 155 };

const HTML = '<!doctype html><title>Bad Gateway</title><h1>Bad Gateway</h1>';

interface Delivery {
  response: ServerResponse;
  fault: Fault;
  /** The original body. */
  json: string;
}

function send({ response }: Delivery, status: number, body: string | Buffer, headers = JSON_TYPE): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function sendStatus(delivery: Delivery): void {
  const status = delivery.fault.status ?? 500;
  const errorcode = ERRORCODES[status] ?? 19;
  send(delivery, status, delivery.fault.body ?? JSON.stringify({ error: errorText(errorcode), errorcode }));
}

/** Announces the whole body, sends half of it and cuts the connection. */
function truncate({ response, json }: Delivery): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  response.write(json.slice(0, Math.floor(json.length / 2)), () => response.socket?.destroySoon());
}

function sendSlowly({ response, fault, json }: Delivery): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  const bytes = Buffer.from(json);
  let index = 0;
  const timer = setInterval(
    () => {
      if (index < bytes.length) response.write(bytes.subarray(index, index + 1));
      else response.end();
      index += 1;
    },
    (fault.seconds ?? SLOW_BYTE_SECONDS) * 1000,
  );
  response.on('close', () => clearInterval(timer));
}

/** Sends one header byte at a time, so that the client's parser never finishes. */
function sendHeadersSlowly({ response, fault, json }: Delivery): void {
  const { socket } = response;
  if (!socket) return;
  const head = Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n`,
  );
  const seconds = fault.seconds ?? SLOW_HEADER_SECONDS;
  let index = 0;
  const timer = setInterval(
    () => {
      socket.write(head.subarray(index, index + 1));
      index += 1;
      if (index < head.length) return;
      clearInterval(timer);
      socket.end(json);
    },
    (seconds * 1000) / head.length,
  );
  socket.on('close', () => clearInterval(timer));
}

const DELIVERIES: Partial<Record<FaultKind, (delivery: Delivery) => void>> = {
  // The connection stays open and silent until one side gives up.
  hang: () => undefined,
  late: () => undefined,
  reset: ({ response }) => response.socket?.resetAndDestroy(),
  status: sendStatus,
  truncate,
  html: (delivery) => send(delivery, delivery.fault.status ?? 502, HTML, { 'content-type': 'text/html' }),
  'bad-json': (delivery) => send(delivery, 200, delivery.json.slice(0, -1)),
  empty: (delivery) => send(delivery, 200, ''),
  null: (delivery) => send(delivery, 200, 'null'),
  array: (delivery) => send(delivery, 200, '[]'),
  bom: (delivery) => send(delivery, 200, `\uFEFF${delivery.json}`),
  'duplicate-keys': (delivery) =>
    send(delivery, 200, delivery.json.replace(/\}$/, ',"result_code":"D","key":"another"}')),
  // Turns strings into numbers where possible: keys, reference numbers, codes and amounts.
  'number-strings': (delivery) =>
    send(
      delivery,
      200,
      JSON.stringify(JSON.parse(delivery.json), (_, value) =>
        typeof value === 'string' ? Number.parseFloat(value) : value,
      ),
    ),
  nan: (delivery) => send(delivery, 200, delivery.json.replace(/("(?:auth_)?amount":)"[^"]*"/, '$1NaN')),
  oversized: (delivery) =>
    send(delivery, 200, delivery.json.replace(/^\{/, `{"padding":"${'x'.repeat(OVERSIZED_BYTES)}",`)),
  'gzip-bomb': (delivery) => {
    const bomb = gzipSync(Buffer.alloc(BOMB_BYTES, ' '));
    send(delivery, 200, bomb, { ...JSON_TYPE, ...{ 'content-encoding': 'gzip' } });
  },
  'slow-bytes': sendSlowly,
  'slow-headers': sendHeadersSlowly,
  redirect: (delivery) => {
    const { response, fault } = delivery;
    response.writeHead(fault.status ?? 302, { location: response.req.url ?? '/', 'content-length': 0 });
    response.end();
  },
};

/** Sends the answer as the fault says; false if the fault doesn't affect delivery. */
export function deliverFault(response: ServerResponse, fault: Fault, json: string): boolean {
  const deliver = DELIVERIES[fault.fault];
  deliver?.({ response, fault, json });
  return deliver !== undefined;
}
