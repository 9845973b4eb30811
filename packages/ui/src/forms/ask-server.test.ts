import { describe, expect, test } from 'vitest';
import { readProblem } from './ask-server.ts';

describe('a failed answer', () => {
  test.each([
    [
      'a problem',
      '{"title":"Bad Request","status":400,"detail":"Invalid franchise number","errors":[{"code":"Invalid","description":"d","field":"franchiseId"}]}',
      {
        title: 'Bad Request',
        detail: 'Invalid franchise number',
        errors: [{ code: 'Invalid', description: 'd', field: 'franchiseId' }],
      },
    ],
    ['no body', '', { title: '', detail: '', errors: [] }],
    ['a page of HTML', '<html>502</html>', { title: '', detail: '', errors: [] }],
    ['null', 'null', { title: '', detail: '', errors: [] }],
    ['a list', '[]', { title: '', detail: '', errors: [] }],
    ['fields of other types', '{"title":1,"detail":{},"errors":"x"}', { title: '', detail: '', errors: [] }],
    [
      'errors that are none',
      '{"errors":[null,7,{"code":"A"},{"code":"B","description":"b"}]}',
      { title: '', detail: '', errors: [{ code: 'B', description: 'b' }] },
    ],
  ])('with %s is a problem with the status of the answer', (_, text, expected) => {
    expect(readProblem(418, text)).toEqual({ ...expected, status: 418 });
  });
});
