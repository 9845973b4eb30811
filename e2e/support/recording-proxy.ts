import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Everything sent in each direction, headers and bodies, as text. */
export type Recorded = { requests: string[]; answers: string[] };

/** A proxy that records everything sent to a server and by it. */
export class RecordingProxy {
  readonly recorded: Recorded = { requests: [], answers: [] };
  #target: URL | undefined;
  readonly #server = createServer((from, to) => void this.#pass(from, to));

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Sets the target, which may need to know this proxy's address first. */
  passTo(target: string): this {
    this.#target = new URL(target);
    return this;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const asked = await bodyOf(from);
    this.recorded.requests.push(`${from.method} ${from.url} ${textOf(from.headers, asked)}`);
    if (this.#target === undefined) return void to.destroy();
    const { hostname, port } = this.#target;
    const { method, url: path, headers } = from;
    const onward = request({ hostname, port, method, path, headers }, async (answer) => {
      const body = await bodyOf(answer);
      this.recorded.answers.push(`${answer.statusCode} ${textOf(answer.headers, body)}`);
      const { 'transfer-encoding': _chunked, ...passed } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, { ...passed, 'content-length': body.length }).end(body);
    });
    onward.on('error', () => to.destroy());
    onward.end(asked);
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Skips scripts, styles and images: those are our own build and hold nothing that people said. */
function textOf(headers: IncomingHttpHeaders, body: Buffer): string {
  const type = headers['content-type'] ?? '';
  const isStatic = /javascript|css|image|font/.test(type);
  const encoding = headers['content-encoding'];
  const plain =
    encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
  return `${JSON.stringify(headers)} ${isStatic ? '' : plain.toString()}`;
}
