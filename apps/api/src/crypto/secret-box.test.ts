import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const OLD = 'the data key that was used until today';
const NEW = 'the data key that is used from today on';

test('what is sealed is opened, and looks different each time', () => {
  const box = createSecretBox([NEW]);
  const sealed = box.seal('tok-1234-é');
  expect(box.open(sealed)).toBe('tok-1234-é');
  expect(box.seal('tok-1234-é')).not.toBe(sealed);
  expect(sealed).not.toContain('1234');
});

test('after a rotation old texts are still opened, and known to be due', () => {
  const sealed = createSecretBox([OLD]).seal('token');
  const box = createSecretBox([NEW, OLD]);
  expect(box.open(sealed)).toBe('token');
  expect(box.isStale(sealed)).toBe(true);
  expect(box.isStale(box.seal('token'))).toBe(false);
});

test('without its key a text stays shut', () => {
  expect(() => createSecretBox([NEW]).open(createSecretBox([OLD]).seal('token'))).toThrow('not configured');
});

test('one altered character is noticed, wherever it stands', () => {
  const box = createSecretBox([NEW]);
  const sealed = box.seal('token');
  // The last character carries bits that no byte has, so it is left out.
  for (let index = sealed.indexOf('.') + 1; index < sealed.length - 1; index++) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    expect(() => box.open(sealed.slice(0, index) + other + sealed.slice(index + 1))).toThrow();
  }
});
