import { LoadError } from '@brightpane/ui/outcomes/load-error';
import {
  connectReporter,
  nameAccount,
  type Report,
  reportedText,
  reportThrown,
  reportWarning,
  watchWindow,
} from '@brightpane/ui/reporting/telemetry';
import { describe, expect, test, vi } from 'vitest';
import { env } from '../lib/env.ts';
import { isFromGoneCardFrame } from '../lib/gone-card-frame.ts';
import { OPERATION_NAMES } from '../lib/operation-names.ts';
import { reportError } from '../lib/report-error.ts';

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
    expect(reportedText(OPERATION_NAMES.guestSale, problem(status, detail))).toBe(text);
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

test('a refusal that several calls and loads run into is reported once', () => {
  const received: string[] = [];
  connectReporter({ send: (report) => received.push(report.text), nameAccount: () => {} });
  const unanswered = problem(0, '');
  reportError('refresh', unanswered);
  reportError('addLocation', unanswered);
  reportThrown(new LoadError(OPERATION_NAMES.invoices, unanswered));
  reportThrown(new LoadError(OPERATION_NAMES.invoices, problem(0, '')));
  expect(received).toEqual(['Unable to refresh the session', 'Unable to load invoices']);
});

test('what nobody catches is reported, but for the card script whose frame is gone', () => {
  const received: string[] = [];
  connectReporter({ send: (report) => received.push(report.text), nameAccount: () => {} });
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  watchWindow(isFromGoneCardFrame);
  const error = () => new TypeError("Cannot read properties of null (reading 'contentWindow')");
  const throwIn = (filename: string, thrown: Error) =>
    window.dispatchEvent(
      Object.assign(new Event('error'), { filename, error: thrown, message: `Uncaught ${thrown}` }),
    );
  throwIn(env.payJsUrl, error());
  throwIn(env.payJsUrl, new TypeError('x is not a function'));
  throwIn('http://localhost:3000/assets/entry.js', error());
  expect(received).toEqual(['x is not a function', error().message]);
  vi.unstubAllGlobals();
});
