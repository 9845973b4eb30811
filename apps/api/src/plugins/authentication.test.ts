import { ENDPOINTS } from '@brightpane/contract/endpoints';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { authentication, isPublicPath } from './authentication.ts';
import { problemDetails } from './problem-details.ts';

/** The public paths from the specification, independent of the contract. */
const PUBLIC = [
  '/authentication/login',
  '/authentication/refresh',
  '/authentication/logout',
  '/authentication/email/confirm',
  '/authentication/email/undo',
  '/authentication/offer',
  '/authentication/offer/register',
  '/authentication/anything',
  '/user/register',
  '/user/confirm',
  '/user/resendemailconfirmation',
  '/user/resetpassword',
  '/user/confirmresetpassword',
  '/user/acceptinvite',
  '/user/invoice/search',
  '/usaepay/guestsale',
];

describe('only listed paths are public', () => {
  test.each(PUBLIC)('%s is', (path) => {
    expect(isPublicPath(path)).toBe(true);
  });

  test.each([
    '',
    '/',
    '/authentication',
    '/authenticationx',
    '/user',
    '/user/registers',
    '/user/register/more',
    '/user/invoice',
    '/user/invoice/search/more',
    '/usaepay/guestsales',
    '/USER/REGISTER',
  ])('%j is not', (path) => {
    expect(isPublicPath(path)).toBe(false);
  });

  test('no other call of the contract is', () => {
    const named = Object.values(ENDPOINTS).map((endpoint) => endpoint.path as string);
    expect(named.filter((path) => isPublicPath(path)).toSorted()).toEqual(
      PUBLIC.filter((path) => path !== '/authentication/anything').toSorted(),
    );
  });
});

test('protects a new route by default, HEAD included', async () => {
  const app = Fastify();
  await app.register(problemDetails);
  await app.register(
    async (calls) => {
      await calls.register(authentication, {
        authenticate: async (token) => (token === 'good' ? { userId: 'robin', sessionId: 'first' } : null),
      });
      calls.get('/user/secret', async ({ userId, sessionId }) => ({ userId, sessionId }));
      calls.post('/user/register', async (request) => ({ userId: request.userId }));
    },
    { prefix: '/api' },
  );

  for (const method of ['GET', 'HEAD'] as const) {
    expect((await app.inject({ method, url: '/api/user/secret' })).statusCode).toBe(401);
  }
  const refused = await app.inject('/api/user/secret');
  expect(refused.headers['www-authenticate']).toBe('Bearer');
  const answer = await app.inject({ url: '/api/user/secret', headers: { authorization: 'bearer good' } });
  expect(answer.json()).toEqual({ userId: 'robin', sessionId: 'first' });
  const open = await app.inject({ method: 'POST', url: '/api/user/register' });
  expect(open.json()).toEqual({ userId: '' });
});
