import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@brightpane/ui/browser-storage';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let api: Server;

beforeAll(async () => {
  api = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{}' }) });
  vi.stubGlobal('window', {
    location: { origin: `http://127.0.0.1:${port}` },
    localStorage: memoryStore(),
    sessionStorage: memoryStore(),
  });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => api.close(resolve));
});

test('deleting a card keeps the key of another one, whose adding may have had no answer', async () => {
  const token = `e30.${btoa(JSON.stringify({ sub: 'rosa' }))}.signature`;
  window.localStorage.setItem('auth.token', token);
  window.localStorage.setItem('auth.refreshToken', 'refresh');
  window.localStorage.setItem('auth.tokenExpiration', '2999-01-01T00:00:00.000Z');
  const { userStore } = await import('../../lib/session/user-store.ts');
  const { idempotencyKey } = await import('../payments/idempotency-key.ts');
  const { removePaymentMethod } = await import('./remove-payment-method.ts');
  const draft = { maskedCard: 'xxxxxxxxxxxx2224', street: '12 Juniper Lane', postalCode: '78701' };
  const key = idempotencyKey('card', draft, userStore('rosa'));
  expect(await removePaymentMethod('another')).toMatchObject({ success: true });
  expect(idempotencyKey('card', draft, userStore('rosa'))).toBe(key);
});
