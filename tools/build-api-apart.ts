import { join } from 'node:path';
import { runProgram } from './checks/run-step.ts';
import { root } from './root.ts';

/** What `npm run serve`, `npm start` and the image run: docs/decisions/0020. */
export const API_SERVER: string = join(root, 'apps/api/build/server.js');

/** Builds the server in a separate process, which frees the bundler's 400 MB. Throws the build's output on failure. */
export async function buildApiApart(): Promise<void> {
  const { code, output } = await runProgram(process.execPath, [join(root, 'tools/build-api.ts')]);
  if (code !== 0) throw new Error(`The server cannot be built:\n${output.trim()}`);
}
