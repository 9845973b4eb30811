import { expect, test } from 'vitest';
import { testEnv } from '../../../test/build-test-app.ts';
import { mintOffer, readOffer } from './offer-token.ts';

const [OLD, NEW] = ['the secret of the year before this one', 'the secret of the year that it is now'];
const envOf = (secrets: string) => ({ env: testEnv({ TOKEN_SECRET: secrets }) });
const SHOWN = { intentId: '8f14e45f-ceea-467f-a0e6-1f1f1f1f1f1f', locationId: 7, zipKey: '62704' };

test('a token names payment and location, and its zip code only to somebody who knows it', () => {
  const token = mintOffer(envOf(NEW), SHOWN);
  const offer = readOffer(envOf(NEW), token);
  expect(offer).toMatchObject({ intentId: SHOWN.intentId, locationId: 7 });
  expect(offer?.isOfZip('62704')).toBe(true);
  expect(offer?.isOfZip('62705')).toBe(false);
  expect(offer?.isOfZip(null)).toBe(false);
  expect(token).not.toContain('62704');
  expect(token.length).toBeLessThanOrEqual(500);
});

test('a token is valid while its secret is listed', () => {
  const token = mintOffer(envOf(OLD), SHOWN);
  expect(readOffer(envOf(`${NEW},${OLD}`), token)?.isOfZip('62704')).toBe(true);
  expect(readOffer(envOf(NEW), token)).toBeNull();
});

test.each(['', '.', '...', 'a.1.b.c', `${SHOWN.intentId}.7.x.y`])('rejects %j', (token) => {
  expect(readOffer(envOf(NEW), token)).toBeNull();
});
