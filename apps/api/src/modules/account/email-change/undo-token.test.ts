import { expect, test } from 'vitest';
import { testEnv } from '../../../../test/build-test-app.ts';
import { readUndoToken, undoLink } from './undo-token.ts';

const [OLD, NEW] = ['the secret of the year before this one', 'the secret of the year that it is now'];
const envOf = (secrets: string) => ({ env: testEnv({ TOKEN_SECRET: secrets }) });
const CHANGE = { id: '8f14e45f-ceea-467f-a0e6-1f1f1f1f1f1f', oldEmail: 'ana@example.com' };

const tokenIn = (link: string) => new URL(link).searchParams.get('t') ?? '';

test('a link names its change and the address before, and reads the same in every mail', () => {
  const link = undoLink(envOf(NEW), CHANGE);
  expect(new URL(link).pathname).toBe('/mail/undo');
  expect(new URL(link).searchParams.get('e')).toBe(CHANGE.oldEmail);
  expect(readUndoToken(envOf(NEW), tokenIn(link))).toBe(CHANGE.id);
  expect(undoLink(envOf(NEW), CHANGE)).toBe(link);
});

test('a link is good while the secret that it was made with is listed', () => {
  const token = tokenIn(undoLink(envOf(OLD), CHANGE));
  expect(readUndoToken(envOf(`${NEW},${OLD}`), token)).toBe(CHANGE.id);
  expect(readUndoToken(envOf(NEW), token)).toBeNull();
});

test.each<[string, (token: string) => string]>([
  ['nothing', () => ''],
  ['no signature', () => CHANGE.id],
  ['an empty signature', () => `${CHANGE.id}.`],
  ['one more part', (token) => `${token}.x`],
  ['another change', (token) => token.replace('8f14', '8f15')],
])('%s is none of ours', (_what, alter) => {
  expect(readUndoToken(envOf(NEW), alter(tokenIn(undoLink(envOf(NEW), CHANGE))))).toBeNull();
});
