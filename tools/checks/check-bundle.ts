import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type BundleSize = { jsBytes: number; cssBytes: number };

const BUDGET: BundleSize = { jsBytes: 125_000, cssBytes: 20_000 };

const NAMED_ASSET = /\/assets\/([^"'/]+\.(?:js|css))/g;
/** Names every script there is, with its hash; it loads none. */
const IMPORT_MAP = /<script[^>]*type="importmap"[^>]*>.*?<\/script>/gs;
const STATIC_IMPORT = /\b(?:from|import)\s*["']\.\/([^"'/]+\.js)["']/g;

/** What a first visit to `/` loads, gzipped: what the built page names, and what those scripts import at once. */
export function measureEntryPage(webFolder: string): BundleSize {
  const html = readFileSync(join(webFolder, 'index.html'), 'utf8').replaceAll(IMPORT_MAP, '');
  const contents = new Map<string, Buffer>();
  const load = (name: string) => {
    if (contents.has(name)) return;
    const content = readFileSync(join(webFolder, 'assets', name));
    contents.set(name, content);
    if (name.endsWith('.js')) matches(content.toString(), STATIC_IMPORT).forEach(load);
  };
  matches(html, NAMED_ASSET).forEach(load);
  const bytesOf = (suffix: string) =>
    [...contents].reduce(
      (sum, [name, content]) => sum + (name.endsWith(suffix) ? gzipSync(content).length : 0),
      0,
    );
  return { jsBytes: bytesOf('.js'), cssBytes: bytesOf('.css') };
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** Says what the entry page loads, and throws when that is more than its budget. */
export function checkBundle(webFolder: string): string {
  const { jsBytes, cssBytes } = measureEntryPage(webFolder);
  const figures = `The entry page loads ${jsBytes} bytes of JS (budget ${BUDGET.jsBytes}) and ${cssBytes} of CSS (budget ${BUDGET.cssBytes}), gzipped.`;
  if (jsBytes === 0 || cssBytes === 0) throw new Error(`${figures} Nothing was found to measure.`);
  if (jsBytes > BUDGET.jsBytes || cssBytes > BUDGET.cssBytes) throw new Error(figures);
  return figures;
}
