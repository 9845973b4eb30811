import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { runProgram } from '../../tools/checks/run-step.ts';
import { root } from '../../tools/root.ts';

const BUILD = join(root, 'apps/web/bench/floor/build');

export const FLOOR_FOLDER: string = join(BUILD, 'client');

/** Builds an empty page with the same libraries, the lower bound for every page of the portal. */
export async function buildFloor(): Promise<void> {
  const { code, output } = await runProgram('npm', ['run', 'build-floor', '--workspace=apps/web']);
  if (code !== 0) throw new Error(`The floor cannot be built:\n${output.trim()}`);
}

export async function removeFloor(): Promise<void> {
  await rm(BUILD, { recursive: true, force: true });
}

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/** Serves the floor like the portal's pages: precompressed, with nothing else to do. */
export async function serveFloor(): Promise<{ url: string; stop: () => Promise<void> }> {
  const page = brotliCompressSync(readFileSync(join(FLOOR_FOLDER, 'index.html')));
  const server = createServer(({ url = '' }, response) => {
    const [, name, ending] = /^\/assets\/([\w.-]+\.(js|css))$/.exec(url) ?? [];
    const type = ending && TYPES[ending];
    if (url !== '/' && !type) return response.writeHead(404).end();
    response.setHeader('content-encoding', 'br');
    response.setHeader('content-type', `${type ?? 'text/html'}; charset=utf-8`);
    response.end(name ? readFileSync(join(FLOOR_FOLDER, 'assets', `${name}.br`)) : page);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
