import { expect, test } from 'vitest';
import { sealUnbound } from '../../test/releases/seal-unbound.ts';
import { createSecretBox, openOrNull, type SecretPlace } from './secret-box.ts';

const OLD = 'the data key that was used until today';
const NEW = 'the data key that is used from today on';
const PLACE: SecretPlace = { table: 'merchant_account', id: 7, field: 'api_key' };

test('opens what it sealed, and seals differently each time', () => {
  const box = createSecretBox([NEW]);
  const sealed = box.seal('tok-1234-é', PLACE);
  expect(box.open(sealed, PLACE)).toBe('tok-1234-é');
  expect(box.seal('tok-1234-é', PLACE)).not.toBe(sealed);
  expect(sealed).not.toContain('1234');
});

test.each<Partial<SecretPlace>>([{ id: 8 }, { field: 'pin' }, { table: 'payment_method' }])(
  'keeps a text shut in another place: %j',
  (other) => {
    const box = createSecretBox([NEW]);
    const sealed = box.seal('token', PLACE);
    expect(() => box.open(sealed, { ...PLACE, ...other })).toThrow('moved');
    expect(openOrNull(box, sealed, { ...PLACE, ...other })).toBe(null);
  },
);

test('opens old texts after a rotation, and knows that they are due', () => {
  const sealed = createSecretBox([OLD]).seal('token', PLACE);
  const box = createSecretBox([NEW, OLD]);
  expect(box.open(sealed, PLACE)).toBe('token');
  expect(box.isStale(sealed)).toBe(true);
  expect(box.isStale(box.seal('token', PLACE))).toBe(false);
});

test('opens texts of the first format, and marks them as stale', () => {
  const box = createSecretBox([NEW, OLD]);
  for (const key of [NEW, OLD]) {
    const sealed = sealUnbound(key, 'token');
    expect(box.open(sealed, PLACE)).toBe('token');
    expect(box.isStale(sealed)).toBe(true);
  }
});

test('refuses a bound text whose version was removed', () => {
  const box = createSecretBox([NEW]);
  const sealed = box.seal('token', PLACE);
  expect(() => box.open(sealed.slice(sealed.indexOf('.') + 1), { ...PLACE, id: 8 })).toThrow('altered');
});

test('refuses a text whose key is missing', () => {
  const sealed = createSecretBox([OLD]).seal('token', PLACE);
  expect(() => createSecretBox([NEW]).open(sealed, PLACE)).toThrow('not configured');
});

test.each(['', '.', 'plain', '2..', 'x.y.z'])('refuses what was never sealed: %j', (text) => {
  expect(openOrNull(createSecretBox([NEW]), text, PLACE)).toBe(null);
});

test('one altered character is noticed, wherever it stands', () => {
  const box = createSecretBox([NEW]);
  const sealed = box.seal('token', PLACE);
  // Skip the last character: changing its unused bits changes no byte.
  for (let index = 0; index < sealed.length - 1; index++) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    expect(() => box.open(sealed.slice(0, index) + other + sealed.slice(index + 1), PLACE)).toThrow();
  }
});
