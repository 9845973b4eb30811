import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ApiKeysScreen } from './api-keys-screen.tsx';

test('without any key, the screen says so and offers to create one', () => {
  expect(wordsOf(<ApiKeysScreen apiKeys={[]} />)).toMatch(/^API keys · .+ No API keys\. Create key /);
});

const KEY = {
  apiKeyId: '4b6d5c59-9d0e-4f0a-a6f4-0d1a7f0c6a11',
  publicId: 'AbCd1234',
  name: 'Nightly import',
  franchiseId: null,
  rights: ['view'],
  createdAt: '2026-11-01T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  isHeld: false,
};

test('a key is revoked whatever its name is, except the key from the settings', () => {
  const named = wordsOf(<ApiKeysScreen apiKeys={[{ ...KEY, name: 'environment' }]} />);
  expect(named).toContain('Revoke');
  const ofSettings = { ...KEY, name: 'environment', publicId: 'environment' };
  expect(wordsOf(<ApiKeysScreen apiKeys={[ofSettings]} />)).not.toContain('Revoke');
});

test('a key’s rights are said in words', () => {
  const words = wordsOf(<ApiKeysScreen apiKeys={[{ ...KEY, rights: ['view', 'export'] }]} />);
  expect(words).toContain('View every list and page; export lists');
});

test('keys of one name are told apart by how they begin', () => {
  const words = wordsOf(<ApiKeysScreen apiKeys={[KEY, { ...KEY, apiKeyId: '2', publicId: 'XyZw9876' }]} />);
  for (const begins of ['bpo_AbCd1234…', 'bpo_XyZw9876…']) expect(words).toContain(begins);
});

test('keys of offices of one name are told apart by the offices’ numbers', () => {
  const franchises = [11, 12].map((franchiseId) => ({
    franchiseId,
    name: 'Clearwater Windows',
    timeZone: 'America/Chicago',
  }));
  const words = wordsOf(<ApiKeysScreen apiKeys={[{ ...KEY, franchiseId: 12 }]} />, { franchises });
  expect(words).toContain('Clearwater Windows, 12');
});
