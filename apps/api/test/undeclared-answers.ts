import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { TestApp } from './build-test-app.ts';
import { readApi } from './hostile/described-api.ts';

/**
 * Keeps one answer of each kind that a call gives, to compare them with `/api/openapi.json` once the tests of a file
 * are through: whatever any test provokes has to be declared there.
 */
export function watchAnswers(portal: TestApp): () => Promise<string[]> {
  const { app } = portal;
  const kinds = new Map<string, { method: string; url: string; answer: LightMyRequestResponse }>();
  const inject = app.inject.bind(app) as (given: string | InjectOptions) => Promise<LightMyRequestResponse>;
  async function injectWatched(given: string | InjectOptions) {
    const answer = await inject(given);
    const { method = 'GET', url } = typeof given === 'string' ? { url: given } : given;
    if (typeof url === 'string' && url.startsWith('/api/')) {
      const [pathname = ''] = url.split('?');
      const kind = `${method} ${pathname} ${answer.statusCode} ${String(answer.headers['content-type'])}`;
      if (!kinds.has(kind)) kinds.set(kind, { method, url: pathname, answer });
    }
    return answer;
  }
  app.inject = injectWatched as FastifyInstance['inject'];

  // An app that its own test has closed can't be asked for its description any more.
  let isClosed = false;
  app.addHook('preClose', (done) => {
    isClosed = true;
    done();
  });

  return async () => {
    if (kinds.size === 0 || isClosed) return [];
    const api = await readApi(portal);
    const faults = [...kinds.values()].flatMap(({ method, url, answer }) => {
      const request = { method, url, headers: {} };
      return api.nameOf(request) === undefined ? [] : api.judge(request, answer);
    });
    return [...new Set(faults)];
  };
}
