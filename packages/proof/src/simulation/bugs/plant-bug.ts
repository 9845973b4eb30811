import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Plugin } from 'rolldown';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const SOURCE = fileURLToPath(new URL('../../../../../apps/api/src', import.meta.url));

export function findPlantedBug(name: string): PlantedBug {
  const bug = PLANTED_BUGS.find((each) => each.name === name);
  if (!bug) throw new Error(`no planted bug "${name}"`);
  return bug;
}

/** Applies the bug's edits to the engine's source while it is bundled. */
export function plantInSource({ name, edits }: PlantedBug): Plugin {
  return {
    name,
    transform(code, id) {
      return edits.filter(({ file }) => id === join(SOURCE, file)).reduce(plant, code);
    },
  };
}

/** Applies the edits in a process that loads each source file itself. */
export function plantOnLoad({ edits }: PlantedBug): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const meant = edits.filter(({ file }) => url === pathToFileURL(join(SOURCE, file)).href);
      return meant.length === 0 ? loaded : { ...loaded, source: meant.reduce(plant, String(loaded.source)) };
    },
  });
}

/** Applies the bug's changes to the database. */
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
