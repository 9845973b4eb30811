import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { root } from './root.ts';

const SOURCES = join(root, 'apps/api/src');
const BUILD = join(root, 'apps/api/build');

/** Packages that bring files along: binaries, fonts, the data of fonts. And one that only some deployments load. */
export const LEFT_OUT: RegExp = /^(node:|@node-rs\/|@hyzyla\/|@sentry\/|fontkit|pdfkit|pg-native)/;

/**
 * Joins the server's sources and packages to a few files, in place: what runs from the folder meanwhile finds the parts
 * that it has yet to load. `folder` is as deep as the sources are, which is how the web app is found.
 */
export async function buildApi(folder: string = BUILD): Promise<void> {
  const build = await rolldown({
    input: {
      server: join(SOURCES, 'serve.ts'),
      'document-worker': join(SOURCES, 'modules/documents/document-worker.ts'),
    },
    platform: 'node',
    external: (id) => LEFT_OUT.test(id) && !id.startsWith('node:'),
    plugins: [builtinsByName],
  });
  const { output } = await build.generate();
  await build.close();
  await mkdir(folder, { recursive: true });
  for (const file of output) {
    if (file.type === 'chunk') await replaceFile(join(folder, file.fileName), escapeBeyondAscii(file.code));
  }
  const migrations = join(SOURCES, 'db/migrations');
  for (const entry of await readdir(migrations, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    await replaceFile(join(folder, 'migrations', relative(migrations, source)), await readFile(source));
  }
}

/** In one step: a portal that starts meanwhile reads the whole old file or the whole new one. */
async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

/**
 * Node fills the module that an import of a builtin makes with all that it exports, and loads half of itself for what is
 * only there once it is asked for: with node:http its fetch, a tenth of a start. So each name is asked for by itself.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  resolveId(id, _importer, { kind }) {
    return id.startsWith('node:') && kind === 'import-statement' ? `\0${id}` : null;
  },
  load(id) {
    if (!id.startsWith('\0node:')) return null;
    const builtin = process.getBuiltinModule(id.slice(1));
    const names = Object.keys(builtin ?? {}).filter((name) => /^[a-z]\w*$/i.test(name) && name !== 'default');
    return [
      `const builtin = process.getBuiltinModule('${id.slice(1)}');`,
      'const named = (name) => builtin[name];',
      'export default builtin;',
      ...names.map(
        (name) => `const _${name} = /* @__PURE__ */ named('${name}'); export { _${name} as ${name} };`,
      ),
    ].join('\n');
  },
};

/** A single character beyond ASCII, and Node keeps the whole file in two bytes a character, for as long as it runs. */
function escapeBeyondAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

if (import.meta.main) await buildApi();
