import { atEnd } from '../../../../tools/bench/at-end.ts';
import { buildApp } from '../../src/app.ts';
import { type Database, openDatabase } from '../../src/db/client.ts';
import { openBooksDeps } from './open-books.ts';

/** Postgres' account of an executed statement. */
type Explained = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } };

const EXPLAINING = `
  LOAD 'auto_explain';
  SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on;
  SET auto_explain.log_timing = off; SET auto_explain.log_format = json; SET auto_explain.log_level = notice;
  SET auto_explain.log_parameter_max_length = 0`;

export type Touched = { pages: number; rows: number };

/**
 * Counts the table and index pages that a call makes Postgres touch, and the rows it returns, which don't depend on how
 * busy the machine is. The portal runs in this process, and everything it sends is explained.
 */
export async function openPageCount({ databaseUrl, url }: { databaseUrl: string; url: string }) {
  let pages = 0;
  const explain = (opened: Database): Database => {
    opened.pool.on('connect', (client) => {
      client.on('notice', ({ message = '' }) => {
        const explained = /^duration: .*? plan:\s*(\{[\s\S]*\})$/.exec(message)?.[1];
        if (explained === undefined) return;
        const { Plan: plan } = JSON.parse(explained) as Explained;
        pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      });
      void client.query(EXPLAINING);
    });
    return { ...opened, beside: (options) => explain(opened.beside(options)) };
  };
  const db = explain(openDatabase({ url: databaseUrl, poolSize: 2 }));
  const app = await buildApp(await openBooksDeps({ databaseUrl, url }, {}, { db }));
  atEnd(async () => {
    await app.close();
    await db.close();
  });
  return async (path: string, headers: Record<string, string>): Promise<Touched> => {
    // The first call reads the catalog too.
    await app.inject({ url: `/api${path}`, headers });
    pages = 0;
    const answer = await app.inject({ url: `/api${path}`, headers });
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    const { items = [] } = answer.json<{ items?: unknown[] }>();
    return { pages, rows: items.length };
  };
}
