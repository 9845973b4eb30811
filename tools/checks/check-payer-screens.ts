import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetsOf, pathOf, readRoutes, screensOf } from './built-routes.ts';
import { assetsNamedIn, loadedFiles, sizeOf } from './check-bundle.ts';

/** The pages that strangers open first. */
const FIRST_PAGES = ['/', '/login', '/guest-payment'];
/** The pages whose files are already loaded when somebody opens another screen. */
const KNOWN_PAGES = [...FIRST_PAGES, '/invoices'];

/** The budget of what any other screen adds, scripts and styles, gzipped. */
const SCREEN_BYTES = 12_000;

/** Texts of account, payments and offer screens: the build must contain each, but no first page may load it. */
const WORDS_OF_LATER_SCREENS = [
  'Where you are signed in',
  'Confirm my new email',
  'Show more payments',
  'This is not a tax document.',
  'Sign in to add it',
];

/** Reports what the payers' other screens load; throws if one is over its budget, or if a first page loads its code. */
export function checkPayerScreens(webFolder: string, { words = WORDS_OF_LATER_SCREENS } = {}): string {
  const routes = readRoutes(webFolder);
  const shell = assetsNamedIn(join(webFolder, '__spa-fallback.html'));
  const filesOf = (path: string) => {
    const route = screensOf(routes).find((each) => pathOf(routes, each) === path);
    if (route === undefined) throw new Error(`There is no page ${path}`);
    return loadedFiles(webFolder, [...shell, ...assetsOf(routes, route)]);
  };

  const faults: string[] = [];
  for (const path of FIRST_PAGES) {
    const text = [...filesOf(path).keys()].map((name) => read(webFolder, `assets/${name}`)).join('\n');
    for (const word of words.filter((each) => text.includes(each))) {
      faults.push(`${path} loads the code that says "${word}"`);
    }
  }
  const scripts = globSync('assets/*.js', { cwd: webFolder }).map((name) => read(webFolder, name));
  for (const word of words.filter((each) => !scripts.some((script) => script.includes(each)))) {
    faults.push(`No file says "${word}"`);
  }

  const known = new Set(KNOWN_PAGES.flatMap((path) => [...filesOf(path).keys()]));
  const further = screensOf(routes).map((route) => {
    const files = loadedFiles(webFolder, assetsOf(routes, route));
    for (const name of known) files.delete(name);
    const { jsBytes, cssBytes } = sizeOf(files);
    return { path: pathOf(routes, route), bytes: jsBytes + cssBytes };
  });
  for (const { path, bytes } of further.filter((each) => each.bytes > SCREEN_BYTES)) {
    faults.push(`${path} loads ${bytes} bytes of its own (budget ${SCREEN_BYTES}), gzipped.`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const largest = further.reduce((most, each) => (each.bytes > most.bytes ? each : most));
  return `Of ${further.length} screens ${largest.path} loads most of its own: ${largest.bytes} bytes (budget ${SCREEN_BYTES}), gzipped.`;
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
