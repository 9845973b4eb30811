import { expect, test } from 'vitest';
import { isSameScreen } from './own-page.tsx';

const HERE = { origin: 'https://pay.example.com', pathname: '/login' };

test.each([
  ['the same address', 'https://pay.example.com/login', '/login', true],
  ['another query and mark', 'https://pay.example.com/login?a=1#b', '/login', true],
  ['an address that WebKit tells decoded', 'https://pay.example.com/login', '/%6Cogin', true],
  ['an address that cannot be decoded', 'https://pay.example.com/%E0', '/%E0', true],
  ['another screen', 'https://pay.example.com/register', '/login', false],
  ['another screen that cannot be decoded', 'https://pay.example.com/%E0', '/login', false],
  ['no address', undefined, '/login', true],
  ['an address of another site', 'about:blank', '/login', true],
])('a document loaded from %s', (_what, loaded, pathname, isSame) => {
  expect(isSameScreen(loaded, { ...HERE, pathname })).toBe(isSame);
});
