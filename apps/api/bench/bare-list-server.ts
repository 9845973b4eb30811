import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The least that can answer a list: one prepared statement, its rows as they come, no framework, no sign-in, nothing
 * checked. What the portal's own answer costs beside it is what the portal costs.
 */
const { DATABASE_URL, STATEMENT = '', USER_ID } = process.env;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'list', text: STATEMENT, values: [USER_ID] });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(rows));
});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
