import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isAwaited } from './refuse-early.ts';

export type Connections = {
  /**
   * Ends connections on which nothing has been worked on for `graceMilliseconds`, until the returned function is called: their
   * clients read no answer, don't close their side, or never sent the end of a request. A server that closes waits for them,
   * and no longer limits how long headers take. Whatever is being worked on is answered first.
   */
  endIdle(options: { graceMilliseconds: number }): () => void;
  endAll(): void;
};

/** Keeps a server's connections, to be able to end them. */
export function watchConnections(server: Server): Connections {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const listIdle = () => new Set([...open].filter((socket) => !isAwaited(socket)));
  return {
    endIdle({ graceMilliseconds }) {
      let before = listIdle();
      const looks = setInterval(() => {
        const idle = listIdle();
        for (const socket of idle) if (before.has(socket)) socket.destroy();
        before = idle;
      }, graceMilliseconds);
      return () => clearInterval(looks);
    },
    endAll() {
      for (const socket of open) socket.destroy();
    },
  };
}
