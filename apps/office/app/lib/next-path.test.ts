import { describe, expect, test } from 'vitest';
import { nextPath, signInAddress } from './next-path.ts';

describe('signing in leads', () => {
  test.each([
    ['/office/payments', '/payments'],
    [
      '/office/payments?search=2224%20about%20%24120&state=paid',
      '/payments?search=2224%20about%20%24120&state=paid',
    ],
    ['/office/', '/'],
  ])('to %s, which is a screen of the console', (next, path) => {
    expect(nextPath(next)).toBe(path);
  });

  test.each([
    null,
    '',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/office/',
    '/office//evil.example',
    '/office/\\evil.example',
    '/office/../x',
    '/office/..',
    '/office/%2e%2e/x',
    '/office/%2F%2Fevil.example',
    '/office/a?x=\\',
    '/office/\nx',
    '/officer/x',
    '/invoices',
    'javascript:alert(1)',
  ])('from %j to the start screen', (next) => {
    expect(nextPath(next)).toBe('/');
  });

  test('back to where somebody was sent away from', () => {
    const address = signInAddress({ pathname: '/office/payments', search: '?search=a%26b' });
    expect(nextPath(new URLSearchParams(address.split('?')[1]).get('next'))).toBe('/payments?search=a%26b');
  });
});
