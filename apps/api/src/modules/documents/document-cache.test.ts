import { expect, test } from 'vitest';
import { createDocumentCache } from './document-cache.ts';

const document = (bytes: number) => new Uint8Array(bytes);

function counting() {
  const made: string[] = [];
  const make = (key: string, bytes: number) => async () => {
    made.push(key);
    return document(bytes);
  };
  return { made, make };
}

test('makes a document once for concurrent callers, and keeps it', async () => {
  const cache = createDocumentCache({ maxBytes: 100 });
  const { made, make } = counting();
  await Promise.all(['a', 'a', 'a'].map((key) => cache.get(key, make(key, 10))));
  await cache.get('a', make('a', 10));
  expect(made).toEqual(['a']);
});

test('evicts the least recently used document when it is full', async () => {
  const cache = createDocumentCache({ maxBytes: 100 });
  const { made, make } = counting();
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key, make(key, 40));
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('returns a document larger than the whole cache without keeping it', async () => {
  const cache = createDocumentCache({ maxBytes: 100 });
  const { made, make } = counting();
  await cache.get('small', make('small', 40));
  await cache.get('large', make('large', 101));
  await cache.get('small', make('small', 40));
  await cache.get('large', make('large', 101));
  expect(made).toEqual(['small', 'large', 'large']);
});

test('tells a failure to everyone waiting, and retries for the next caller', async () => {
  const cache = createDocumentCache({ maxBytes: 100 });
  const broken = () => Promise.reject(new Error('no ink'));
  const answers = await Promise.allSettled([cache.get('a', broken), cache.get('a', broken)]);
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
  await expect(cache.get('a', async () => document(1))).resolves.toHaveLength(1);
});
