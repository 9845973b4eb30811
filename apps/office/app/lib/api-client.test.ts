import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callOffice, officePath } from './api-client.ts';
import { showPagesOf } from './pages-person.ts';
import { readQuestions } from './questions.ts';

type Sent = { url: string; headers: Record<string, string>; body: string | undefined };

const NOTE = { method: 'POST', path: '/office/payments/:paymentId/notes' };
const params = { paymentId: 'a' };

let sent: Sent[];
let answers: (() => Response)[];
const problem = (status: number, code: string) => () =>
  Response.json({ title: '', status, detail: code, errors: [{ code, description: code }] }, { status });
const done = () => Response.json({ noteId: '1' }, { status: 201 });
const lost = () => {
  throw new TypeError('Failed to fetch');
};

beforeEach(() => {
  sent = [];
  answers = [];
  const location = { pathname: '/office/payments', search: '?state=paid', assign: vi.fn() };
  const items = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  vi.stubGlobal('window', { location, sessionStorage });
  vi.stubGlobal('document', { querySelector: () => null, querySelectorAll: () => [] });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, headers: init.headers as Record<string, string>, body: init.body as string });
    return (answers.shift() ?? done)();
  });
});
afterEach(() => {
  showPagesOf(undefined);
  vi.unstubAllGlobals();
});

/** The question that a call waits for, once it is asked. */
async function asked() {
  await vi.waitFor(() => expect(readQuestions()).not.toEqual([]));
  const [question] = readQuestions();
  if (question === undefined) throw new Error('nothing is asked');
  return question;
}

const write = (text: string) =>
  callOffice(NOTE, { params, body: { text }, once: 'note', stepUp: 'Add a note' });
const keys = () => sent.map(({ headers }) => headers['Idempotency-Key']);

test('every call says that it comes from the console', async () => {
  await write('a');
  expect(sent[0]?.url).toBe('/api/office/payments/a/notes');
  expect(sent[0]?.headers).toMatchObject({ 'X-Office': '1', 'Content-Type': 'application/json' });
});

test('a URL leaves out empty values', () => {
  expect(officePath('/office/payments', {}, { search: 'a&b', from: '', to: undefined, cursor: null })).toBe(
    '/api/office/payments?search=a%26b',
  );
});

test('a card number that somebody typed is not sent', async () => {
  const answer = await write('her card is 4000 1000 1111 2224');
  expect(answer).toMatchObject({ ok: false, problem: { errors: [{ code: 'CardDataNotAllowed' }] } });
  expect(sent).toEqual([]);
});

describe('a page that was loaded for a person', () => {
  beforeEach(() => showPagesOf('robin'));

  test('says so in every call but those that sign somebody in', async () => {
    await write('a');
    await callOffice({ method: 'GET', path: '/office/me' });
    await callOffice({ method: 'POST', path: '/office/session' }, { isAnonymous: true });
    expect(sent.map(({ headers }) => headers['X-Person'])).toEqual(['robin', 'robin', undefined]);
  });

  test('starts over once somebody else has signed in', async () => {
    answers = [problem(401, 'AnotherPerson')];
    void write('a');
    await vi.waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('/office/'));
    expect(sent).toHaveLength(1);
  });

  test('is not left for what the screen asks by itself', async () => {
    answers = [problem(401, 'AnotherPerson')];
    const answer = await Promise.race([
      callOffice({ method: 'GET', path: '/office/waiting' }, { isBackground: true }),
      vi.waitFor(() => expect(window.location.assign).toHaveBeenCalled()),
    ]);
    expect(answer).toMatchObject({ ok: false, problem: { status: 401 } });
    expect(window.location.assign).not.toHaveBeenCalled();
  });
});

describe('the key of a form', () => {
  test('is the same after a lost answer, and another once it was heard', async () => {
    answers = [lost];
    await write('a');
    await write('a');
    await write('a');
    const [first, second, third] = keys();
    expect(second).toBe(first);
    expect(third).not.toBe(second);
  });

  test('is another for another text, and after a refusal that is stored', async () => {
    answers = [lost, problem(409, 'Conflict')];
    await write('a');
    await write('b');
    await write('b');
    expect(new Set(keys()).size).toBe(3);
  });
});

describe('an act that needs a second factor', () => {
  test('is asked for in words, confirmed to the byte, and repeated by itself under the same key', async () => {
    answers = [problem(403, 'StepUpRequired')];
    const answer = write('a');
    const question = await asked();
    expect(question).toMatchObject({
      kind: 'step-up',
      words: 'Add a note',
      act: {
        method: 'POST',
        path: '/api/office/payments/a/notes',
        body: createHash('sha256').update('{"text":"a"}').digest('hex'),
      },
    });
    if (question.kind === 'step-up') question.answer('token');
    expect(await answer).toMatchObject({ ok: true });
    expect(sent[1]?.headers['X-Step-Up']).toBe('token');
    expect(keys()[1]).toBe(keys()[0]);
    expect(readQuestions()).toEqual([]);
  });

  test('is given up without a second call', async () => {
    answers = [problem(403, 'StepUpRequired')];
    const answer = write('a');
    const question = await asked();
    question.answer(null);
    expect(await answer).toMatchObject({ ok: false, problem: { status: 403 } });
    expect(sent).toHaveLength(1);
  });
});

describe('a session', () => {
  test('that is idle asks once for all calls, and each goes on', async () => {
    answers = [problem(401, 'SessionIdle'), problem(401, 'SessionIdle')];
    const calls = Promise.all([write('a'), callOffice({ method: 'GET', path: '/office/me' })]);
    const question = await asked();
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(readQuestions()).toHaveLength(1);
    if (question.kind === 'still-there') question.answer(true);
    expect((await calls).map(({ ok }) => ok)).toEqual([true, true]);
  });

  test('that is over in the middle of an act is begun anew, and the act goes on under its key', async () => {
    answers = [problem(401, 'SignedOut')];
    const answer = write('a');
    const question = await asked();
    if (question.kind === 'sign-in-again') question.answer(true);
    expect(await answer).toMatchObject({ ok: true });
    expect(new Set(keys()).size).toBe(1);
    expect(window.location.assign).not.toHaveBeenCalled();
  });

  test('that nobody comes back to in time is asked for from the start', async () => {
    answers = [problem(401, 'SessionIdle'), problem(401, 'SessionIdle')];
    const answer = write('a');
    (await asked()).answer(null);
    await vi.waitFor(() => expect(readQuestions()[0]?.kind).toBe('sign-in-again'));
    const question = await asked();
    if (question.kind === 'sign-in-again') question.answer(true);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    const again = await asked();
    if (again.kind === 'still-there') again.answer(true);
    expect(await answer).toMatchObject({ ok: true });
  });

  test('is asked of nobody by what the screen asks by itself', async () => {
    answers = [problem(401, 'SignedOut')];
    const answer = await callOffice({ method: 'GET', path: '/office/waiting' }, { isBackground: true });
    expect(answer).toMatchObject({ ok: false, problem: { status: 401 } });
    expect(readQuestions()).toEqual([]);
    expect(window.location.assign).not.toHaveBeenCalled();
  });

  test('that is over leads to the sign-in and back to this screen, where nothing was typed', async () => {
    answers = [problem(401, 'SignedOut')];
    void callOffice({ method: 'GET', path: '/office/me' });
    await vi.waitFor(() =>
      expect(window.location.assign).toHaveBeenCalledWith(
        '/office/sign-in?next=%2Foffice%2Fpayments%3Fstate%3Dpaid',
      ),
    );
  });
});
