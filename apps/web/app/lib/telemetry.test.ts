import { describe, expect, test } from 'vitest';
import {
  asReported,
  connectReporter,
  nameAccount,
  type Report,
  reportError,
  reportedText,
  reportThrown,
  reportWarning,
} from './telemetry.ts';

const problem = (status: number, detail: string) => ({ title: '', status, detail, errors: [] });

describe('a reported error', () => {
  test.each([
    [
      503,
      'The card processor does not answer.',
      'Unable to complete payment: The card processor does not answer.',
    ],
    [500, 'something with a stack', 'Unable to complete payment: Internal server error'],
    [0, '', 'Unable to complete payment'],
  ])('of status %i with the detail %j reads %j', (status, detail, text) => {
    expect(reportedText('guestSale', problem(status, detail))).toBe(text);
  });
});

test('reports from before the reporter was there reach it first, and each once', () => {
  const received: (Report | { of: string | null })[] = [];
  const thrown = new TypeError('x is undefined');
  reportWarning('No refresh token');
  reportError('invoices', problem(503, 'Busy'));
  nameAccount('an account');
  connectReporter({
    send: (report) => received.push(report),
    nameAccount: (id) => received.push({ of: id }),
  });
  nameAccount(null);
  reportThrown(thrown);
  reportThrown(thrown);
  reportThrown(asReported(new Error('said already')));
  expect(received).toEqual([
    { of: 'an account' },
    { level: 'warning', text: 'No refresh token' },
    {
      level: 'error',
      text: 'Unable to load invoices: Busy',
      thrown: new Error('Unable to load invoices: Busy'),
    },
    { of: null },
    { level: 'error', text: 'x is undefined', thrown },
  ]);
});
