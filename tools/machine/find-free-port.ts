import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range of outgoing connections, which could otherwise take the port before its user does. */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;
/** Already returned by this process: nothing may listen on them yet, but a second call must get another one. */
const drawn = new Set<number>();

/** A random TCP port on 127.0.0.1 that nothing listens on, so that concurrent processes get different ones. */
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
