import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Attack } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { makeWish, payInTheEnd } from './pay-in-the-end.ts';
import { startForRun } from './process-troubles.ts';
import type { EnvironmentRig } from './rig.ts';

/** How an error reporter fails: nobody listens, it never answers, or it answers with an error. */
const FAILURES: ((response: ServerResponse) => void)[] = [
  () => {},
  (response) => response.writeHead(500).end(),
];

export const reporterTroubles: Attack<EnvironmentRig>[] = [
  {
    id: 'F44',
    name: 'an error reporter that is down or silent blocks no request, and not the end of the process',
    runs: 3,
    async run(rig, { run }) {
      const port = await listenAsReporter(rig, FAILURES[run - 1]);
      const portal = await startForRun(rig, { settings: { SENTRY_DSN: `http://key@127.0.0.1:${port}/1` } });
      const { deps } = rig.instances[0];
      const [customer] = rig.customers;
      const { accessToken } = await startSessionOf(deps, customer);
      await deps.db.pool.query('ALTER TABLE user_location RENAME TO user_location_away');
      const failing = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${portal.url}/api/user/location`, {
            headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` },
            signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
          }),
        ),
      ).finally(() => deps.db.pool.query('ALTER TABLE user_location_away RENAME TO user_location'));
      if (failing.some(({ status }) => status !== 500)) throw new Error('there was nothing to report');
      const wish = await makeWish(rig, { accounts: run === 0 ? 'guest' : 3 });
      const told = await pressOverNetwork(portal.url, await wish.press());
      rig.told.push(told);
      if (told.heard !== 'paid') throw new Error(`a payment heard ${told.status}`);
      await portal.stop();
      await payInTheEnd(rig, wish);
    },
  },
];

const PATIENCE_MILLISECONDS = 20_000;

/** The port of a reporter that fails this way, or a port on which nobody listens. */
async function listenAsReporter(
  rig: EnvironmentRig,
  fail: ((response: ServerResponse) => void) | undefined,
): Promise<number> {
  if (!fail) return 1;
  const server = createServer((_request, response) => fail(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  rig.afterRun.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
