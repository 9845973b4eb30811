import net from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** What happens to the next COMMIT: it is lost on its way, or its answer is lost after it took effect. */
export type Cut = 'before' | 'after';

export type CuttingProxy = {
  /** The database's URL through the proxy. */
  through(databaseUrl: string): string;
  /** Cuts the connection at the next COMMIT. */
  arm(cut: Cut): void;
  /** Refuses every later connection, or accepts them again. */
  close(isClosed: boolean): void;
  /** From now on nothing passes on the open connections, not even that a side hangs up. Later connections work. */
  silence(): void;
};

/** A proxy for one test file. */
export function useCuttingProxy(): CuttingProxy {
  const proxy = makeCuttingProxy();
  beforeAll(proxy.listen);
  afterAll(proxy.end);
  return proxy;
}

/** A proxy to the database that can be cut at the worst moments. */
export function makeCuttingProxy(): CuttingProxy & { listen(): Promise<void>; end(): void } {
  let armed: Cut | null = null;
  let isClosed = false;
  let target: { host: string; port: number } = { host: '127.0.0.1', port: 0 };
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const database = net.connect(target);
    let isAnswerLost = false;
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    if (isClosed) client.destroy();
    client.on('data', (chunk) => {
      const cut = isCommit(chunk) ? armed : null;
      if (cut) armed = null;
      if (cut === 'before') {
        client.destroy();
        return;
      }
      isAnswerLost = cut === 'after';
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (isAnswerLost) client.destroy();
      else client.write(chunk);
    });
  });
  let port = 0;
  return {
    async listen() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = (server.address() as net.AddressInfo).port;
    },
    end() {
      for (const socket of open) socket.destroy();
      server.close();
    },
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      target = { host: url.hostname, port: Number(url.port || 5432) };
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    arm: (cut) => {
      armed = cut;
    },
    close: (closed) => {
      isClosed = closed;
      if (closed) for (const socket of open) socket.destroy();
    },
    silence: () => {
      for (const socket of open) socket.pause();
    },
  };
}

const isCommit = (chunk: Buffer) =>
  chunk[0] === 0x51 && /^commit\0?$/i.test(chunk.subarray(5).toString('latin1'));
