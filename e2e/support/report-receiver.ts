import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';

/** One received item: an event, a recording, a trace's spans and so on, by its type in Sentry's protocol. */
export type ReceivedItem = { type: string; payload: unknown };

/** The parts of an event that tests look at. */
export type ReceivedEvent = {
  /** `node` for the portal's own reports. */
  platform?: string;
  level?: string;
  message?: string;
  exception?: { values: { type: string; value: string; stacktrace?: { frames: object[] } }[] };
  extra?: Record<string, unknown>;
  tags?: Record<string, unknown>;
  user?: Record<string, unknown>;
  request?: { url?: string };
};

export type ReceivedSpan = {
  name: string;
  trace_id: string;
  span_id: string;
  parent_span_id?: string;
  is_segment: boolean;
  attributes: Record<string, { value: unknown }>;
};

/** How it treats reporters: it answers, never answers, fails, or cuts the connection. */
export type Behavior = 'answers' | 'hangs' | 'fails' | 'cuts';

/** Pages of any origin may report. */
const OPEN_TO_ALL = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
};

/** A local receiver of error reports that parses everything it gets. */
export class ReportReceiver {
  readonly items: ReceivedItem[] = [];
  behavior: Behavior = 'answers';
  /** Everything received, reports and other requests alike: headers and decompressed bodies. */
  readonly #heard: string[] = [];
  readonly #foreignCalls: IncomingMessage['headers'][] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get dsn(): string {
    return `${this.origin.replace('//', '//publickey@')}/1`;
  }

  /** Headers of requests that weren't reports. */
  get foreignCalls(): IncomingMessage['headers'][] {
    return this.#foreignCalls;
  }

  get events(): ReceivedEvent[] {
    return this.#payloads('event') as ReceivedEvent[];
  }

  get spans(): ReceivedSpan[] {
    return (this.#payloads('span') as { items: ReceivedSpan[] }[]).flatMap(({ items }) => items);
  }

  /** The events of every recording, in order of arrival. */
  get recorded(): { type: number; data: unknown }[] {
    return (this.#payloads('replay_recording') as { type: number; data: unknown }[][]).flat();
  }

  /** Events from pages. The portal's own alarms come at any time, so they are left out. */
  get pageEvents(): ReceivedEvent[] {
    return this.events.filter(({ platform }) => platform !== 'node');
  }

  /** What pages reported, in words. */
  get texts(): string[] {
    return this.pageEvents.map(textOf);
  }

  /** Everything received, decompressed. */
  get transcript(): string {
    return this.#heard.join('\n');
  }

  /** Which of these texts arrived, plain or encoded for a URL or JSON. */
  find(texts: string[]): string[] {
    return texts.filter((text) =>
      this.#heard.some((heard) => spellings(text).some((one) => heard.includes(one))),
    );
  }

  /** Forgets what belongs to earlier tests. */
  forget(): void {
    this.behavior = 'answers';
    for (const kept of [this.items, this.#heard, this.#foreignCalls]) kept.length = 0;
  }

  #payloads(type: string): unknown[] {
    return this.items.filter((item) => item.type === type).map(({ payload }) => payload);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.#heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    if (this.behavior === 'hangs') return;
    if (this.behavior === 'cuts') return void request.socket.destroy();
    if (request.url?.startsWith('/api/1/envelope/') && request.method === 'POST') {
      if (this.behavior === 'fails') return void response.writeHead(500, OPEN_TO_ALL).end();
      this.#open(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    } else if (request.method !== 'OPTIONS') {
      this.#foreignCalls.push(request.headers);
    }
    response.writeHead(200, OPEN_TO_ALL).end('{}');
  }

  /** Parses an envelope: a line of headers, then for each item a line of headers and its payload. */
  #open(envelope: Buffer): void {
    let rest = envelope;
    const takeLine = (length = rest.indexOf('\n')): Buffer => {
      const end = length === -1 ? rest.length : length;
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      return line;
    };
    this.#heard.push(takeLine().toString());
    while (rest.length > 0) {
      const headers = JSON.parse(takeLine().toString()) as { type: string; length?: number };
      const text = readPayload(headers.type, takeLine(headers.length));
      this.#heard.push(text);
      this.items.push({ type: headers.type, payload: JSON.parse(text) });
    }
  }
}

/** An event in words: its message or thrown text, with warnings marked. */
export function textOf({ level, message, exception }: ReceivedEvent): string {
  const text = message ?? exception?.values.at(-1)?.value ?? '';
  return level === 'warning' ? `warning: ${text}` : text;
}

function readPayload(type: string, payload: Buffer): string {
  if (type !== 'replay_recording') return payload.toString();
  const recording = payload.subarray(payload.indexOf('\n') + 1);
  return (recording[0] === 0x78 ? inflateSync(recording) : recording).toString();
}

function spellings(text: string): string[] {
  const inAddress = encodeURIComponent(text);
  return [text, JSON.stringify(text).slice(1, -1), inAddress, inAddress.replaceAll('%20', '+')];
}
