import { expect, test } from 'vitest';
import { openGateways } from './open-gateways.ts';
import { NO_ACCOUNT } from './payment-gateway.ts';

const KEYS = { apiKey: 'a key', pin: '1234' };

test('keeps the gateway of an account, and none for keys that are only tested', () => {
  const gateways = openGateways({ baseUrl: 'https://provider.example.com' });
  expect(gateways.of({ id: 7, ...KEYS })).toBe(gateways.of({ id: 7, ...KEYS }));
  expect(gateways.of({ id: NO_ACCOUNT, ...KEYS })).not.toBe(gateways.of({ id: NO_ACCOUNT, ...KEYS }));
});
