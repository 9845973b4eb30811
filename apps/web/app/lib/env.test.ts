import { describe, expect, test } from 'vitest';
import { readSettings } from './env.ts';

describe('the settings of a page', () => {
  test('are the development ones where the page says nothing', () => {
    expect(readSettings('{}')).toEqual(readSettings(null));
    expect(readSettings('{}')).toMatchObject({
      apiSecret: 'dev-api-secret',
      sentryDsn: null,
    });
  });

  test('are the ones that the page gives', () => {
    const settings = {
      apiSecret: 'secret',
      defaultPublicKey: '_key',
      payJsUrl: 'https://pay.example/js/v2/pay.js',
      sentryDsn: 'https://key@errors.example/1',
      termsVersion: '0123456789ab',
    };
    expect(readSettings(JSON.stringify(settings))).toEqual(settings);
  });
});
