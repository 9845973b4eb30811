import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpProblem } from '../http/problem.ts';
import { problemDetails } from './problem-details.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(problemDetails);
  app.get('/thrown/:status', async (request) => {
    throw new HttpProblem(Number((request.params as { status: string }).status), 'Not now.');
  });
  app.get('/sent/:status', async (request, reply) =>
    reply.code(Number((request.params as { status: string }).status)).send({}),
  );
  app.get('/known', async () => {
    throw new HttpProblem(429, 'Not now.', { headers: { 'retry-after': '120' } });
  });
});
afterAll(() => app.close());

const retryAfter = async (url: string) => (await app.inject(url)).headers['retry-after'];

test.each(['/thrown/429', '/thrown/503', '/sent/429', '/sent/503'])('%s says when to retry', async (url) => {
  expect(await retryAfter(url)).toBe('5');
});

test('keeps an answer’s own time to retry', async () => {
  expect(await retryAfter('/known')).toBe('120');
});

test.each(['/thrown/400', '/thrown/409', '/sent/200', '/sent/500'])('%s does not', async (url) => {
  expect(await retryAfter(url)).toBeUndefined();
});
