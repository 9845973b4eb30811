import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer's status, its head as text, and its body's bytes. */
export type KeptAnswer = { status: number; head: string; body: Buffer };

/**
 * Sends one GET again and again over open connections, like a proxy. Reads just enough of HTTP to tell the answers
 * apart, as whoever asks shares the cores with the portal: Node's own client takes several times as long.
 */
export type KeptConnections = {
  /** Rejects if the connection ends before the answer does. Waits while all connections are taken. */
  ask(): Promise<KeptAnswer>;
  close(): void;
};

type Waiting = { resolve(answer: KeptAnswer): void; reject(error: Error): void };

export async function keepConnections({
  url,
  headers,
  count,
}: {
  url: URL;
  headers: Record<string, string>;
  count: number;
}): Promise<KeptConnections> {
  const lines = Object.entries({ host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = `GET ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const free: ((waiting: Waiting) => void)[] = [];
  const queue: Waiting[] = [];
  const use = (send: (waiting: Waiting) => void) => {
    const next = queue.shift();
    if (next) send(next);
    else free.push(send);
  };
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    sockets.push(socket.setNoDelay());
    use(senderOf(socket, { request, onFree: use }));
  };
  for (let opened = 0; opened < count; opened++) await open();
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        // The one that was idle longest: the portal ends a connection that nobody uses for a minute.
        const send = free.shift();
        if (send) send({ resolve, reject });
        else queue.push({ resolve, reject });
      }),
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends the request, and becomes free again once its answer is complete. */
function senderOf(
  socket: Socket,
  { request, onFree }: { request: string; onFree: (send: (waiting: Waiting) => void) => void },
) {
  let waiting: Waiting | undefined;
  let received: Buffer = Buffer.alloc(0);
  const send = (next: Waiting) => {
    waiting = next;
    if (socket.writable) socket.write(request);
    else next.reject(new Error('the connection has ended'));
  };
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (!answer) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
    waiting = undefined;
    onFree(send);
  });
  const lost = () => waiting?.reject(new Error('the connection ended before the answer did'));
  socket.on('error', lost).on('close', lost);
  return send;
}

/** Undefined until the whole answer is there. */
function readAnswer(received: Buffer): KeptAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const body = received.subarray(end + 4);
  const [, length = 0] = /^content-length: (\d+)$/im.exec(head) ?? [];
  if (body.length < Number(length)) return undefined;
  return { status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), head, body };
}
