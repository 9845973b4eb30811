import { join } from 'node:path';
import { assetsOf, pathOf, readRoutes, screensOf } from './built-routes.ts';
import { assetsNamedIn, loadedFiles, sizeOf } from './check-bundle.ts';

/** The budget of a first visit to one of these screens, gzipped. */
const FIRST_LOAD = { jsBytes: 140_000, cssBytes: 25_000 };
const ENTRIES = ['/sign-in', '/payments'];

/** The budget of what any other screen loads in addition. */
const SCREEN_BYTES = 15_000;

/** Reports what the console's screens load; throws if one is over its budget. */
export function checkOfficeBundle(officeFolder: string, entries: string[] = ENTRIES): string {
  const routes = readRoutes(officeFolder);
  const page = assetsNamedIn(join(officeFolder, 'index.html'));
  const lines: string[] = [];
  const faults: string[] = [];
  const tell = (line: string, isOver: boolean) => (isOver ? faults : lines).push(line);

  const known = new Set<string>();
  for (const entry of entries) {
    const route = routes.find((each) => pathOf(routes, each) === entry);
    if (route === undefined) throw new Error(`The console has no screen ${entry}`);
    const files = loadedFiles(officeFolder, [...page, ...assetsOf(routes, route)]);
    for (const name of files.keys()) known.add(name);
    const { jsBytes, cssBytes } = sizeOf(files);
    tell(
      `/office${entry} loads ${jsBytes} bytes of JS (budget ${FIRST_LOAD.jsBytes}) and ${cssBytes} of CSS (budget ${FIRST_LOAD.cssBytes}), gzipped.`,
      jsBytes > FIRST_LOAD.jsBytes || cssBytes > FIRST_LOAD.cssBytes || jsBytes === 0 || cssBytes === 0,
    );
  }

  const further = screensOf(routes).map((route) => {
    const files = loadedFiles(officeFolder, assetsOf(routes, route));
    for (const name of known) files.delete(name);
    return { path: pathOf(routes, route), ...sizeOf(files) };
  });
  for (const { path, jsBytes } of further.filter((each) => each.jsBytes > SCREEN_BYTES)) {
    faults.push(`/office${path} loads ${jsBytes} more bytes of JS (budget ${SCREEN_BYTES}), gzipped.`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const largest = further.reduce((most, each) => (each.jsBytes > most.jsBytes ? each : most));
  lines.push(
    `Of ${further.length} screens /office${largest.path} adds most: ${largest.jsBytes} bytes of JS.`,
  );
  return lines.join('\n');
}
