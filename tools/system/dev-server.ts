import { join } from 'node:path';
import { createServer, type Plugin } from 'vite';
import { readEnv } from '../../apps/api/src/env.ts';
import { pageSettings, settingsText } from '../../apps/api/src/pages/page-settings.ts';
import { buildOffice } from '../build-web.ts';
import { root } from '../root.ts';
import type { System } from './start-system.ts';
import { watchSources } from './watch-sources.ts';

const WEB_APP = join(root, 'apps/web');
const DOCUMENT = join(root, 'packages/ui/src/page/app-document.tsx');

const API_SOURCES = ['apps/api/src', 'packages/contract/src', 'packages/money/src'];
const OFFICE_SOURCES = ['apps/office/app', 'packages/contract/src', 'packages/money/src', 'packages/ui/src'];

/** Paths that the portal answers: its API, and the built console. */
const BEHIND = ['/api/', '^/office(?:[/?]|$)'];

export type DevServer = { close(): Promise<void> };

/**
 * Vite at the portal's port with hot reload, in front of the portal's API and of the console. The API restarts and the
 * console is rebuilt when their sources change. Pages have no content policy, because Vite inlines scripts and styles.
 */
export async function startDevServer(
  system: System,
  port: number,
  say: (line: string) => void,
): Promise<DevServer> {
  const { portalSettings } = system;
  let restart = Promise.resolve();
  const server = await createServer({
    root: WEB_APP,
    configFile: join(WEB_APP, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    plugins: [settingsInPages(portalSettings), waitFor(() => restart)],
    server: {
      host: portalSettings.HOST ?? '127.0.0.1',
      port,
      strictPort: true,
      // The API decides which origins may call it.
      cors: false,
      proxy: Object.fromEntries(
        BEHIND.map((path) => [path, { target: `http://127.0.0.1:${portalSettings.PORT}` }]),
      ),
    },
  });
  await server.listen();

  /** The API reads the console's page at start. */
  async function takeOver(changed: ReadonlySet<string>): Promise<void> {
    try {
      const isOffice = OFFICE_SOURCES.some((folder) => changed.has(folder));
      const office = isOffice ? await buildOffice() : 'current';
      if (office === 'current' && !API_SOURCES.some((folder) => changed.has(folder))) return;
      await system.restartPortal();
      say(office === 'built' ? 'The console was built and the API restarted.' : 'The API restarted.');
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }
  watchSources(server.watcher, [...new Set([...API_SOURCES, ...OFFICE_SOURCES])], (changed) => {
    restart = takeOver(changed);
    return restart;
  });
  return { close: () => server.close() };
}

/** Writes the settings into the document, as the API does into built pages, with the terms on every page. */
function settingsInPages(portalSettings: NodeJS.ProcessEnv): Plugin {
  const env = readEnv(portalSettings);
  const text = settingsText({ ...pageSettings(env), terms: env.TERMS.text });
  const place = "__html: '{}'";
  return {
    name: 'settings-in-pages',
    enforce: 'pre',
    transform(code, id) {
      if (id !== DOCUMENT) return null;
      if (!code.includes(place)) throw new Error('The document has no place for its settings.');
      return code.replace(place, () => `__html: ${JSON.stringify(text)}`);
    },
  };
}

/** Holds API calls back during a restart, so that none fails. */
function waitFor(restart: () => Promise<void>): Plugin {
  return {
    name: 'wait-for-the-api',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (/^\/(?:api|office)\b/.test(request.url ?? '')) restart().then(() => next(), next);
        else next();
      });
    },
  };
}
