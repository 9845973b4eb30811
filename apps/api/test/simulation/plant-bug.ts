import { registerHooks } from 'node:module';
import pg from 'pg';
import { PLANTED_BUGS } from './planted-bugs.ts';

// Loaded before anything else: changes the engine's source in this process only, and the database it works on, as
// PLANTED_BUG says.

const bug = PLANTED_BUGS.find(({ name }) => name === process.env.PLANTED_BUG);
if (!bug) throw new Error(`no planted bug "${process.env.PLANTED_BUG}"`);
const { edits, sql } = bug;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = edits.filter(({ file }) => url.endsWith(`/apps/api/src/${file}`));
    if (own.length === 0) return loaded;
    return { ...loaded, source: own.reduce(plant, String(loaded.source)) };
  },
});

if (sql !== undefined) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function plant(source: string, { file, find, replacement }: (typeof edits)[number]): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has what to replace ${parts.length - 1} times`);
  return parts.join(replacement);
}
