import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import tls from 'node:tls';

/** Far below the five seconds after which the most impatient servers close an idle connection. */
const KEPT_MILLISECONDS = 2_000;
const ENDS_IDLENESS = ['data', 'end', 'error', 'close', 'timeout'] as const;

/** Why there is no connection: refused, or not opened in time, so that somebody has waited. */
type NoConnection = 'refused' | 'timed-out';

/** One account's connections to the provider. One that a whole answer left open is kept for the next call, briefly. */
export class Connections {
  readonly #url: URL;
  readonly #keptMilliseconds: number;
  readonly #idle = new Map<net.Socket, { since: number; drop: () => void }>();

  constructor(url: string, { keptMilliseconds = KEPT_MILLISECONDS } = {}) {
    this.#url = new URL(url);
    this.#keptMilliseconds = keptMilliseconds;
  }

  /** An idle connection, kept or newly opened. */
  async take(milliseconds: number): Promise<net.Socket | NoConnection> {
    // Whoever comes too late hasn't waited here.
    if (milliseconds <= 0) return 'refused';
    if (this.#idle.size > 0) {
      // All sockets are read between two such turns: a close that has already arrived here is noticed.
      await nextTurn();
      await nextTurn();
    }
    return this.#takeKept() ?? this.#open(milliseconds);
  }

  /** Only after an ordinary answer, and if the server doesn't announce that it closes idle connections soon. */
  mayKeep({ statusCode = 0, headers }: IncomingMessage): boolean {
    const [, seconds] = /\btimeout=(\d+)/i.exec(String(headers['keep-alive'])) ?? [];
    return (
      statusCode < 300 && (seconds === undefined || Number(seconds) * 1000 >= 2 * this.#keptMilliseconds)
    );
  }

  /** Keeps a connection whose last answer was read completely. Anything that arrives on it meanwhile closes it. */
  keep(socket: net.Socket): void {
    const drop = () => {
      this.#idle.delete(socket);
      socket.destroy();
    };
    for (const event of ENDS_IDLENESS) socket.on(event, drop);
    socket.setTimeout(this.#keptMilliseconds);
    socket.unref();
    this.#idle.set(socket, { since: performance.now(), drop });
  }

  #takeKept(): net.Socket | undefined {
    const [socket, idle] = [...this.#idle].at(-1) ?? [];
    if (!socket || !idle) return undefined;
    this.#idle.delete(socket);
    for (const event of ENDS_IDLENESS) socket.off(event, idle.drop);
    // A busy process runs its timers late.
    if (socket.destroyed || performance.now() - idle.since > this.#keptMilliseconds) {
      socket.destroy();
      return this.#takeKept();
    }
    socket.setTimeout(0);
    return socket.ref();
  }

  /** Opens a socket and checks its certificate. */
  #open(milliseconds: number): Promise<net.Socket | NoConnection> {
    const isSecure = this.#url.protocol === 'https:';
    const host = this.#url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(this.#url.port) || (isSecure ? 443 : 80);
    return new Promise((resolve) => {
      const socket = isSecure
        ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
        : net.connect({ host, port });
      const timer = setTimeout(() => finish('timed-out'), milliseconds);
      const finish = (result: net.Socket | NoConnection) => {
        clearTimeout(timer);
        socket.off('error', fail);
        // The request hears of later errors too; this only keeps them from being unhandled.
        socket.on('error', () => {});
        if (result !== socket) socket.destroy();
        resolve(result);
      };
      const fail = () => finish('refused');
      socket.on('error', fail);
      socket.once(isSecure ? 'secureConnect' : 'connect', () => finish(socket));
    });
  }
}
