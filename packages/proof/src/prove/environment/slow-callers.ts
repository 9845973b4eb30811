import { once } from 'node:events';
import net from 'node:net';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import type { Attack } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { makeWish, payInTheEnd } from './pay-in-the-end.ts';
import type { EnvironmentRig } from './rig.ts';

/** Shorter than in production, so that a run takes seconds. */
const PATIENCE = { headersSeconds: 2, bodySeconds: 2, checkSeconds: 0.5 };
const SLOW_CALLERS = 200;
const BETWEEN_BYTES_MILLISECONDS = 200;

const HEADERS = 'POST /api/usaepay/guestsale HTTP/1.1\r\nhost: portal\r\n';
const BODY = `${HEADERS}x-apisecret: ${TEST_SECRETS.apiSecret}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`;
/** What is sent at once, and what is then repeated byte by byte. */
const DRIPS = [
  { begin: HEADERS, drip: 'x-long: y\r\n' },
  { begin: BODY, drip: ' ' },
  { begin: 'GET /', drip: 'x' },
];

export const slowCallers: Attack<EnvironmentRig>[] = [
  {
    id: 'F10',
    name: '200 callers that send byte by byte are cut off, and others are served meanwhile',
    runs: 6,
    async run(rig, { run }) {
      const app = await buildApp(rig.instances[0].deps, { patience: PATIENCE });
      rig.afterRun.push(() => app.close());
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as net.AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const wishes = [await makeWish(rig, { accounts: 'guest' }), await makeWish(rig, { accounts: 3 })];
      const { begin, drip } = DRIPS[run % DRIPS.length] ?? { begin: '', drip: '' };
      const slow = Array.from({ length: SLOW_CALLERS }, () => sendSlowly(port, { begin, drip }));
      for (const wish of wishes) {
        const told = await pressOverNetwork(url, await wish.press());
        rig.told.push(told);
        if (told.heard !== 'paid') throw new Error(`beside slow callers a payment heard ${told.status}`);
      }
      for (const heard of await Promise.all(slow)) {
        if (!/^(HTTP\/1.1 408 |$)/.test(heard)) throw new Error(`a slow caller heard ${heard}`);
      }
      for (const wish of wishes) await payInTheEnd(rig, wish);
    },
  },
];

/** Everything received until the connection closes. */
async function sendSlowly(port: number, { begin, drip }: { begin: string; drip: string }): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.write(begin);
  const dripping = setInterval(() => socket.write(drip), BETWEEN_BYTES_MILLISECONDS);
  await once(socket, 'close');
  clearInterval(dripping);
  return heard;
}
