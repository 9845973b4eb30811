import { expect, test } from 'vitest';
import { openGateways } from './open-gateways.ts';

const KEYS = { apiKey: 'a key', pin: '1234' };

test('keeps the gateway of an account, and none for keys that are only tested', () => {
  const gateways = openGateways({ baseUrl: 'https://provider.example.com' });
  expect(gateways.of({ id: 7, ...KEYS })).toBe(gateways.of({ id: 7, ...KEYS }));
  const tested = { id: 0, ...KEYS, isTested: true } as const;
  expect(gateways.of(tested)).not.toBe(gateways.of(tested));
});
