import net, { type AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';

/** One of our calls passing through. */
export type ProviderCall = {
  name: CallName;
  /** The API key it is signed with. */
  apiKey: string;
  orderId: string | null;
  /** For a page of the list. */
  offset: number;
};
export type CallName = 'authonly' | 'capture' | 'void' | 'refund' | 'get' | 'list' | 'tokens' | 'other';

/** How much of an answer gets through before the connection is cut; `unsent`: the request itself never arrives. */
export const CUTS = ['unsent', 'silent', 'mid-header', 'mid-body', 'last-byte'] as const;
export type Cut = { at: (typeof CUTS)[number]; by: 'reset' | 'fin' };

type Plan = {
  name: CallName;
  /** How many calls of this name pass first. */
  after: number;
  cut?: Cut;
  /** Runs before the provider gets the call, which waits for it. */
  before?: (call: ProviderCall) => Promise<void>;
  /** Runs once the provider has answered; the answer waits for it. */
  answered?: (call: ProviderCall) => Promise<void>;
};

export type AnswerBody = Record<string, unknown>;
type Change = (body: AnswerBody) => AnswerBody;

/** A proxy to the provider. It reads every passing call, and cuts or delays those that are planned. */
export class ProviderProxy {
  /** Every call that has passed. */
  calls: ProviderCall[] = [];
  /** How many connections were served. */
  connections = 0;
  /** Which calls are read and never answered. */
  hangs: (call: ProviderCall) => boolean = () => false;
  readonly #target: { host: string; port: number };
  readonly #server: net.Server;
  readonly #open = new Set<net.Socket>();
  #plans: Plan[] = [];
  #drop: { after: number } | null = null;
  #afterAnswer: 'close' | 'keep open' | 'close when idle' = 'close';
  readonly #changes = new Map<CallName, Change>();

  constructor(providerUrl: string) {
    const { hostname, port } = new URL(providerUrl);
    this.#target = { host: hostname, port: Number(port) };
    this.#server = net.createServer((client) => {
      this.#hold(client);
      if (this.#drop && this.#drop.after-- === 0) {
        client.resetAndDestroy();
        return;
      }
      this.connections++;
      this.#serve(client).catch(() => client.destroy());
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v2`;
  }

  plan(plan: Omit<Plan, 'after'> & { after?: number }): void {
    this.#plans.push({ after: 0, ...plan });
  }

  /** Closes a connection before reading from it, after that many served ones. */
  dropConnection({ after }: { after: number }): void {
    this.#drop = { after };
  }

  /** Lets a connection carry more calls after an answer; with `thenClose` it says so, and closes it at once. */
  keepOpen({ thenClose = false } = {}): void {
    this.#afterAnswer = thenClose ? 'close when idle' : 'keep open';
  }

  /** Changes every later answer to calls of this name. */
  change(name: CallName, change: Change): void {
    this.#changes.set(name, change);
  }

  forgetPlans(): void {
    this.#changes.clear();
    this.#plans = [];
    this.#drop = null;
    this.#afterAnswer = 'close';
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  #hold(socket: net.Socket): void {
    this.#open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#open.delete(socket));
  }

  async #serve(client: net.Socket): Promise<void> {
    const request = await readRequest(client);
    if (!request) return;
    const call = readCall(request);
    this.calls.push(call);
    if (this.hangs(call)) return;
    const plan = this.#take(call);
    await plan?.before?.(call);
    if (plan?.cut?.at === 'unsent') return cutOff(client, plan.cut);

    const provider = net.connect(this.#target);
    this.#hold(provider);
    provider.write(replaceInHead(request, KEEP_ALIVE, CLOSE));
    if (this.#afterAnswer !== 'close' && !plan) {
      client.write(replaceInHead(await readAll(provider), CLOSE, KEEP_ALIVE));
      if (this.#afterAnswer === 'close when idle') client.end();
      else await this.#serve(client);
      return;
    }
    const change = this.#changes.get(call.name);
    if (!plan?.cut && !plan?.answered && !change) {
      client.on('close', () => provider.destroy());
      provider.on('close', () => client.destroySoon());
      provider.pipe(client);
      return;
    }
    const told = await readAll(provider);
    const answer = change ? changeBody(told, change) : told;
    await plan?.answered?.(call);
    if (!plan?.cut) client.end(answer);
    else if (plan.cut.at === 'silent') cutOff(client, plan.cut);
    else client.write(answer.subarray(0, placeOf(plan.cut.at, answer)), () => cutOff(client, plan.cut));
  }

  #take(call: ProviderCall): Plan | undefined {
    for (const plan of this.#plans) {
      if (plan.name !== call.name) continue;
      if (plan.after-- > 0) continue;
      this.#plans = this.#plans.filter((other) => other !== plan);
      return plan;
    }
    return undefined;
  }
}

/** The answer with a changed body; anything but JSON stays as it is. */
function changeBody(answer: Buffer, change: Change): Buffer {
  const headEnd = answer.indexOf(HEAD_END) + HEAD_END.length;
  const text = answer.subarray(headEnd).toString();
  if (!text.startsWith('{')) return answer;
  const body = Buffer.from(JSON.stringify(change(JSON.parse(text))));
  const head = answer.subarray(0, headEnd).toString();
  return Buffer.concat([Buffer.from(head.replace(/(content-length: )\d+/i, `$1${body.length}`)), body]);
}

const HEAD_END = '\r\n\r\n';
const KEEP_ALIVE = 'connection: keep-alive';
const CLOSE = 'connection: close';

function replaceInHead(message: Buffer, from: string, to: string): Buffer {
  const headEnd = message.indexOf(HEAD_END);
  const head = message.subarray(0, headEnd).toString();
  return Buffer.concat([Buffer.from(head.replace(new RegExp(from, 'i'), to)), message.subarray(headEnd)]);
}

/** The whole request; null if there was none. */
function readRequest(client: net.Socket): Promise<Buffer | null> {
  let seen = Buffer.alloc(0);
  return new Promise((resolve) => {
    client.once('close', () => resolve(null));
    client.on('data', function read(chunk: Buffer) {
      seen = Buffer.concat([seen, chunk]);
      const headEnd = seen.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const [, length = '0'] = /content-length: (\d+)/i.exec(seen.subarray(0, headEnd).toString()) ?? [];
      if (seen.length < headEnd + HEAD_END.length + Number(length)) return;
      client.off('data', read);
      resolve(seen);
    });
  });
}

async function readAll(socket: net.Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await finished(socket, { writable: false }).catch(() => {});
  return Buffer.concat(chunks);
}

function readCall(request: Buffer): ProviderCall {
  const headEnd = request.indexOf(HEAD_END);
  const head = request.subarray(0, headEnd).toString();
  const [method = '', path = ''] = head.split(' ');
  const [, signature = ''] = /authorization: Basic (\S+)/i.exec(head) ?? [];
  const [apiKey = ''] = Buffer.from(signature, 'base64').toString().split(':');
  const { pathname, searchParams } = new URL(path, 'http://provider');
  const text = request.subarray(headEnd + HEAD_END.length).toString();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return {
    name: nameOf(method, pathname, String(body.command)),
    apiKey,
    orderId: typeof body.orderid === 'string' ? body.orderid : null,
    offset: Number(searchParams.get('offset') ?? 0),
  };
}

function nameOf(method: string, path: string, command: string): CallName {
  if (path.endsWith('/tokens')) return 'tokens';
  if (method === 'GET') return path.endsWith('/transactions') ? 'list' : 'get';
  const [, name] = /^(?:cc:)?(authonly|capture|void|refund)\b/.exec(command) ?? [];
  return (name as CallName | undefined) ?? 'other';
}

function placeOf(at: Cut['at'], answer: Buffer): number {
  const headEnd = answer.indexOf(HEAD_END) + HEAD_END.length;
  if (at === 'mid-header') return Math.floor(headEnd / 2);
  if (at === 'mid-body') return headEnd + Math.floor((answer.length - headEnd) / 2);
  return answer.length - 1;
}

function cutOff(client: net.Socket, cut: Cut | undefined): void {
  if (cut?.by === 'fin') client.end();
  else client.resetAndDestroy();
}
