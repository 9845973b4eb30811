import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Deps } from '../deps.ts';
import { observePortal, type ProcessState } from './observe-portal.ts';

/** Serves scrapes on a separate port, so that no proxy in front of the portal can expose them. */
export async function serveMetrics(
  deps: Pick<Deps, 'db' | 'env' | 'log' | 'metrics' | 'reporter'>,
  { port, host, ...state }: { port: number; host: string } & ProcessState,
): Promise<{ port: number; close(): Promise<void> }> {
  const { registry } = deps.metrics;
  observePortal(deps, state);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
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
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
