import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';

/**
 * The least that can answer a read: one prepared statement with its rows unchanged, no framework, sign-in, validation or
 * limits. The portal's cost is its time compared with this.
 */
const { DATABASE_URL, STATEMENT = '', VALUES = '[]', FIELDS = '[]' } = process.env;

const values = JSON.parse(VALUES) as unknown[];
const fields = JSON.parse(FIELDS) as string[];
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const server = createServer(async (request, response) => {
  const { rows } = await pool.query({ name: 'read', text: STATEMENT, values: await valuesOf(request) });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(rows));
});

/** The statement's values: from the call, or always the same. */
async function valuesOf(request: IncomingMessage): Promise<unknown[]> {
  if (request.method === 'GET') return values;
  const body = (await json(request)) as Record<string, unknown>;
  return fields.map((field) => body[field]);
}

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
