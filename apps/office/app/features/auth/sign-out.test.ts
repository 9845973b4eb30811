import { memoryStore } from '@brightpane/ui/browser-storage';
import { afterEach, expect, test, vi } from 'vitest';
import { signOut } from './sign-out.ts';

afterEach(() => vi.unstubAllGlobals());

/** Signs out, and returns what the person reads and where the page goes. */
async function signOutWith(answer: () => Response) {
  const assign = vi.fn();
  vi.stubGlobal('window', { location: { assign }, sessionStorage: memoryStore() });
  vi.stubGlobal('fetch', async () => answer());
  const { success, message } = await signOut();
  return { success, message, goesTo: assign.mock.calls.flat() };
}

const refused = (status: number) => () =>
  Response.json({ title: '', status, detail: 'Try again in a moment.', errors: [] }, { status });

test.each([
  ['ends', () => new Response(null, { status: 204 })],
  ['had ended before', refused(401)],
])('leaves for the sign-in once the session %s', async (_, answer) => {
  expect(await signOutWith(answer)).toEqual({ success: true, message: '', goesTo: ['/office/sign-in'] });
});

test.each([
  ['is turned away', refused(503), 'The portal is busy. Wait a moment, then try again.'],
  [
    'gets no answer',
    () => {
      throw new TypeError('Failed to fetch');
    },
    'We did not hear back. Press again: nothing is done twice.',
  ],
])('stays and says so if the call %s', async (_, answer, words) => {
  expect(await signOutWith(answer)).toEqual({
    success: false,
    message: `You may still be signed in. ${words}`,
    goesTo: [],
  });
});
