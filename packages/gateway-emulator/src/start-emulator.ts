import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Emulator, openEmulator } from './emulator.ts';
import { serveApi } from './http/serve-api.ts';
import { serveControls } from './http/serve-controls.ts';
import { serveFile } from './http/serve-files.ts';
import type { Merchant } from './merchants/merchants.ts';
import type { Switches } from './switches.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

interface EmulatorOptions extends Partial<Switches> {
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  /** The ledger's folder; without it everything is lost when the emulator ends. */
  dataDir?: string;
  extraMerchants?: Merchant[];
}

export interface RunningEmulator {
  /** Its origin, without a trailing slash. */
  url: string;
  close: () => Promise<void>;
}

async function serve(emulator: Emulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://emulator');
  if (url.pathname.startsWith('/api/')) return serveApi(emulator, request, response, url);
  if (url.pathname.startsWith('/_emulator/')) return serveControls(emulator, request, response, url);
  if (request.method === 'GET' && (await serveFile(emulator, response, url))) return;
  if (request.method === 'GET' && url.pathname === '/') return transactionsPage(emulator, response);
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end('{"error":"Path not found","errorcode":21001}');
}

/** Starts an emulator that shares nothing with others in the same process. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { port = 0, host = '127.0.0.1', dataDir, extraMerchants = [], ...switches } = options;
  const stop = new AbortController();
  const emulator = await openEmulator(dataDir, switches, extraMerchants, stop.signal);
  // On a busy machine the default of five seconds may pass between two calls, and the second would meet a closing socket.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(emulator, request, response).catch((reason: unknown) => {
      // Not an error if the emulator is closing, or if the caller has gone.
      if (!stop.signal.aborted && !request.destroyed)
        process.stderr.write(
          `gateway-emulator: ${reason instanceof Error ? reason.stack : String(reason)}\n`,
        );
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: async () => {
      stop.abort();
      for (const { timer } of emulator.lateWork) clearTimeout(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await emulator.ledger.close();
    },
  };
}
