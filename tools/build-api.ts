import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { API_BUILD, API_SOURCES, API_STAMP, isApiBuilt, stampOf } from './build-api-apart.ts';
import { hashSources } from './hash-sources.ts';
import { root } from './root.ts';

const SOURCES = join(root, 'apps/api/src');

/** Packages with files of their own (binaries, fonts, font data), and one that only some deployments load. */
export const LEFT_OUT: RegExp = /^(node:|@node-rs\/|@hyzyla\/|@sentry\/|fontkit|pdfkit|pg-native)/;

/**
 * Bundles the server into a few files, in place: a server running from the folder can still load its remaining chunks.
 * The folder is as deep as the sources, because the server finds the web app relative to it.
 */
async function buildApi(): Promise<void> {
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
  requireKnownSources(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  await mkdir(API_BUILD, { recursive: true });
  for (const file of output) {
    if (file.type === 'chunk')
      await replaceFile(join(API_BUILD, file.fileName), escapeBeyondAscii(file.code));
  }
  const migrations = join(SOURCES, 'db/migrations');
  for (const entry of await readdir(migrations, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    await replaceFile(join(API_BUILD, 'migrations', relative(migrations, source)), await readFile(source));
  }
}

/** Otherwise a change of a file from elsewhere would go unnoticed. */
function requireKnownSources(modules: readonly string[]): void {
  const own = modules
    .filter((id) => id.startsWith(`${root}/`) && !id.includes('/node_modules/'))
    .map((id) => id.slice(root.length + 1));
  const foreign = own.filter((file) => !API_SOURCES.some((known) => file.startsWith(`${known}/`)));
  if (foreign.length > 0) throw new Error(`API_SOURCES doesn't name ${foreign.join(', ')}`);
}

/** Atomic: a portal that starts meanwhile reads either the old or the new file. */
async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

/**
 * Importing a builtin makes Node evaluate all of its lazy exports: for node:http its fetch, a tenth of the start-up
 * time. So each name is imported by itself.
 */
export const builtinsByName: Plugin = {
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

/** A single non-ASCII character makes Node keep the whole file in memory at two bytes per character. */
function escapeBeyondAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// Whoever runs `npm run serve` may not be able to write what another user built.
if (import.meta.main && !isApiBuilt()) {
  const sources = hashSources(API_SOURCES);
  await rm(API_STAMP, { force: true });
  await buildApi();
  await writeFile(API_STAMP, stampOf(sources));
}
