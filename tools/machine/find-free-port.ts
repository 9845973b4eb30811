import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand out for outgoing connections: those would take the port before whoever asked for it does. */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;
/** Nothing may listen yet on those this process has drawn: who asks for two is to get two. */
const drawn = new Set<number>();

/** A TCP port on 127.0.0.1 that nothing listens on right now, drawn, so that two who ask at once get different ones. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${FIRST} and ${LAST} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
