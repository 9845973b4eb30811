import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Plugin } from 'rolldown';
import type { PlantedBug } from './planted-bugs.ts';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** Changes the engine's source as the bug says, on its way into a bundle. */
export function plantInSource({ name, edits }: PlantedBug): Plugin {
  return {
    name,
    transform(code, id) {
      return edits.filter(({ file }) => id === join(SOURCE, file)).reduce(plant, code);
    },
  };
}

/** Does to the database what the bug does. */
export async function plantInDatabase({ sql }: PlantedBug, databaseUrl: string): Promise<void> {
  if (sql === undefined) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function plant(source: string, { file, find, replacement }: PlantedBug['edits'][number]): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has what to replace ${parts.length - 1} times`);
  return parts.join(replacement);
}
