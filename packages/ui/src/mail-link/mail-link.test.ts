import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryStore } from '../browser-storage.ts';
import { forgetMailLink, readMailLink, takeMailLinkFromAddress } from './mail-link.ts';

afterEach(() => vi.unstubAllGlobals());

const SCREENS = ['/confirm', '/resetpassword', '/invitation'];

/** A browser that has just opened this address. */
function openAddress(address: string) {
  const browser = {
    sessionStorage: memoryStore(),
    location: new URL(address, 'https://portal.example'),
    history: {
      state: null as unknown,
      replaceState(state: unknown, _: string, path: string) {
        browser.history.state = state;
        browser.location = new URL(path, browser.location);
      },
    },
  };
  vi.stubGlobal('window', browser);
  return browser;
}

describe('the link of a mail', () => {
  test.each([
    ['/confirm?e=a%2Bb@example.com&t=abc', '/confirm', { email: 'a+b@example.com', token: 'abc' }],
    ['/resetpassword?t=abc&e=a@example.com', '/resetpassword', { email: 'a@example.com', token: 'abc' }],
    ['/invitation/?e=a@example.com&t=abc', '/invitation/', { email: 'a@example.com', token: 'abc' }],
    ['/confirm?e=a@example.com&from=mail', '/confirm?from=mail', { email: 'a@example.com', token: null }],
    ['/confirm?t=abc', '/confirm', { email: null, token: 'abc' }],
    ['/confirm?e=&t=', '/confirm', { email: null, token: null }],
  ])('%s leaves the address as %s', (address, left, link) => {
    const { history, location } = openAddress(address);
    takeMailLinkFromAddress(SCREENS);
    expect(window.location.href).toBe(new URL(left, location).href);
    expect(readMailLink((history.state as { usr: unknown }).usr)).toEqual(link);
  });

  test.each(['/guest-payment?e=1&t=2', '/confirm', '/login?t=abc'])(
    '%s carries none and is left',
    (address) => {
      const { history } = openAddress(address);
      takeMailLinkFromAddress(SCREENS);
      expect(window.location.href).toBe(`https://portal.example${address}`);
      expect(history.state).toBeNull();
    },
  );

  test('is kept through a reload, which finds the history as it was', () => {
    const { history } = openAddress('/confirm?e=a@example.com&t=abc');
    takeMailLinkFromAddress(SCREENS);
    takeMailLinkFromAddress(SCREENS);
    expect(readMailLink()).toEqual({ email: 'a@example.com', token: 'abc' });
    expect(history.state).toEqual({ usr: { mailLink: expect.stringMatching(/^[\da-f]{32}$/) } });
  });

  test('is not of an entry with another mark, and can be forgotten', () => {
    const { history } = openAddress('/confirm?e=a@example.com&t=abc');
    takeMailLinkFromAddress(SCREENS);
    expect(readMailLink({ mailLink: 'another' })).toEqual({ email: null, token: null });
    forgetMailLink();
    expect(readMailLink((history.state as { usr: unknown }).usr)).toEqual({ email: null, token: null });
  });

  test.each([null, undefined, 'text', { flash: 'x' }])('is none in the state %j', (state) => {
    openAddress('/confirm');
    expect(readMailLink(state)).toEqual({ email: null, token: null });
  });
});
