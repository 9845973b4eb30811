import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { findFreePort } from '../machine/find-free-port.ts';

/**
 * Forwards each request with its own `Idempotency-Key`. Otherwise a payment that differs in one value would be refused
 * as a reused key, and the value would never be tested.
 */
export async function startKeyingProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    const { method, url = '/', headers } = request;
    const keyed = { ...headers, 'idempotency-key': randomUUID() };
    const passed = http.request(`${target}${url}`, { method, headers: keyed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
