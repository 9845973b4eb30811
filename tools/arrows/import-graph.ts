import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** One import: `to` is a file of this repository or a package's name. Type-only imports count too. */
export type Import = { from: string; to: string };

/** A source file's imports: static, type-only, re-exported, and dynamic ones with a literal name. */
export function readImports(root: string, file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const names = importedNames(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return names.map((name) => ({ from: file, to: resolve(root, file, name) }));
}

type Node = { type: string; source?: { type: string; value?: unknown } | null };

function importedNames(tree: object): string[] {
  const names: string[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      const literal = value.source;
      if (IMPORTING.has(value.type) && typeof literal?.value === 'string') names.push(literal.value);
      Object.values(value).forEach(visit);
    }
  };
  visit(tree);
  return names;
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Our packages export `./*` from `src/*.ts`; any other name is an external package. */
function resolve(root: string, file: string, name: string): string {
  const ours = /^@brightpane\/([\w-]+)\/(.+)$/.exec(name);
  const path = ours ? `packages/${ours[1]}/src/${ours[2]}` : relative(file, name);
  if (path === null) return name;
  const found = ENDINGS.map((ending) => `${path}${ending}`).find((each) => existsSync(join(root, each)));
  return found ?? path;
}

const ENDINGS = ['.ts', '.tsx', ''];

const relative = (file: string, name: string): string | null =>
  name.startsWith('.') ? normalize(join(dirname(file), name)) : null;
