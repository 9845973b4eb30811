import { globSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** Records which functions of the `*.queries.ts` files are called from now on. */
export async function countQueryCalls(): Promise<{ findUncalled(): Promise<string[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async findUncalled() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      session.disconnect();
      const called = new Set(
        result.flatMap(({ url, functions }) =>
          functions
            .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
            .map(({ functionName }) => `${fileOf(url)} ${functionName}`),
        ),
      );
      return (await listQueryFunctions()).filter((name) => !called.has(name));
    },
  };
}

/** Below `src`: several rooms have a file of the same name. */
const fileOf = (url: string) => /\/src\/(.+\.queries\.ts)/.exec(url)?.[1];

async function listQueryFunctions(): Promise<string[]> {
  const names = await Promise.all(
    globSync('**/*.queries.ts', { cwd: SOURCE }).map(async (file) => {
      const exported = (await import(`${SOURCE}/${file}`)) as Record<string, unknown>;
      return Object.keys(exported)
        .filter((name) => typeof exported[name] === 'function')
        .map((name) => `${file} ${name}`);
    }),
  );
  return names.flat().sort();
}
