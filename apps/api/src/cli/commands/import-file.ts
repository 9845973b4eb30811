import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ImportAnswer } from '@brightpane/contract/office';
import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

/** `import FILE`: streams the file to the portal. */
export const importFile: Command = async (client, parameters, print) => {
  const { positionals } = readParameters({ args: parameters, allowPositionals: true, options: {} });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new WrongWords('Name one file to import.');
  const path = await findFile(name);
  const answer = await client.call<ImportAnswer>('import', {
    stream: Readable.toWeb(createReadStream(path)) as ReadableStream,
    contentType: extname(path).toLowerCase() === '.json' ? 'application/json' : 'text/csv',
  });
  const { created, updated, unchanged, overpaid = [] } = answer;
  print(`Imported ${basename(path)}: ${created} created, ${updated} updated, ${unchanged} unchanged.`);
  for (const { franchiseId, workOrderNumber, amount } of overpaid) {
    print(`Overpaid: franchise ${franchiseId}, work order ${workOrderNumber}, by $${amount.toFixed(2)}.`);
  }
};

/** Resolves names relative to the person's folder; npm runs us in the project's own. */
async function findFile(name: string): Promise<string> {
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), name);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CliFailure(`There is no file ${path}.`);
  if (!found.isFile()) throw new CliFailure(`${path} is not a file.`);
  return path;
}
