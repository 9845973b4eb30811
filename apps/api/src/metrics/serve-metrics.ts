import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Deps } from '../deps.ts';
import { observePortal } from './observe-portal.ts';

/** Answers scrapes on a port of its own, so that no proxy in front of the portal can show them to anybody. */
export async function serveMetrics(
  deps: Pick<Deps, 'db' | 'env' | 'log' | 'metrics'>,
  { port, host }: { port: number; host: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const observed = observePortal(deps);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    deps.metrics.registry.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      (error: unknown) => {
        deps.log.error({ err: error }, 'metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      observed.stop();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
