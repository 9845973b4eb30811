import type { Database } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';

type Client = { query(statement: { text: string }): Promise<unknown> };

/** The same process, which hears the answers to matching statements outside transactions only after `act`. */
export function afterStatement(deps: Deps, text: RegExp, act: () => void | Promise<void>): Deps {
  const real = (deps.db.query as unknown as { $client: Client }).$client;
  const client: Client = {
    async query(statement) {
      const answer = await real.query(statement);
      if (text.test(statement.text)) await act();
      return answer;
    },
  };
  const query = new Proxy(deps.db.query, {
    get: (db, name) => (name === '$client' ? client : Reflect.get(db, name, db)),
  }) as Database['query'];
  return { ...deps, db: { ...deps.db, query } };
}
