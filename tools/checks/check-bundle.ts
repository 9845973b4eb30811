import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type BundleSize = { jsBytes: number; cssBytes: number };

const BUDGET: BundleSize = { jsBytes: 125_000, cssBytes: 20_000 };

/** The entry page's last measured size. It may shrink; whoever makes it grow changes this number. */
export const MEASURED: BundleSize = { jsBytes: 118_704, cssBytes: 10_259 };

const NAMED_ASSET = /\/assets\/([^"'/]+\.(?:js|css))/g;
/** It names every script with its hash, but loads none. */
const IMPORT_MAP = /<script[^>]*type="importmap"[^>]*>.*?<\/script>/gs;
const STATIC_IMPORT = /\b(?:from|import)\s*["']\.\/([^"'/]+\.js)["']/g;

/** What a first visit to `/` loads, gzipped: the files that the page names, and their static imports. */
export function measureEntryPage(webFolder: string): BundleSize {
  return sizeOf(loadedFiles(webFolder, assetsNamedIn(join(webFolder, 'index.html'))));
}

/** The files that a built page names. */
export function assetsNamedIn(page: string): string[] {
  return matches(readFileSync(page, 'utf8').replaceAll(IMPORT_MAP, ''), NAMED_ASSET);
}

/** These files and all their static imports, with their gzipped sizes. */
export function loadedFiles(buildFolder: string, names: string[]): Map<string, number> {
  const bytes = new Map<string, number>();
  const load = (name: string) => {
    if (bytes.has(name)) return;
    const content = readFileSync(join(buildFolder, 'assets', name));
    bytes.set(name, gzipSync(content).length);
    if (name.endsWith('.js')) matches(content.toString(), STATIC_IMPORT).forEach(load);
  };
  names.forEach(load);
  return bytes;
}

export function sizeOf(files: Map<string, number>): BundleSize {
  const bytesOf = (suffix: string) =>
    [...files].reduce((sum, [name, bytes]) => sum + (name.endsWith(suffix) ? bytes : 0), 0);
  return { jsBytes: bytesOf('.js'), cssBytes: bytesOf('.css') };
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** Reports the entry page's size; throws if it is over budget, larger than last measured, or contains office code. */
export function checkBundle(webFolder: string, measured: BundleSize = MEASURED): string {
  const { jsBytes, cssBytes } = measureEntryPage(webFolder);
  const figures = `The entry page loads ${jsBytes} bytes of JS (budget ${BUDGET.jsBytes}) and ${cssBytes} of CSS (budget ${BUDGET.cssBytes}), gzipped.`;
  if (jsBytes === 0 || cssBytes === 0) throw new Error(`${figures} Nothing was found to measure.`);
  if (jsBytes > BUDGET.jsBytes || cssBytes > BUDGET.cssBytes) throw new Error(figures);
  if (jsBytes > measured.jsBytes || cssBytes > measured.cssBytes) {
    throw new Error(
      `${figures} It was ${measured.jsBytes} and ${measured.cssBytes} when it was measured last.`,
    );
  }
  const strangers = officeFiles(webFolder);
  if (strangers.length > 0) throw new Error(`The payer's build knows of the office: ${strangers.join(', ')}`);
  return figures;
}

/** Built files that name an office URL. What payers load must not. */
function officeFiles(webFolder: string): string[] {
  return globSync('**/*.{js,css,html,json,data}', { cwd: webFolder }).filter((file) =>
    readFileSync(join(webFolder, file), 'utf8').includes('/office/'),
  );
}
