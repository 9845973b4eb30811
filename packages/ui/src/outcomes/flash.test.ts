import { describe, expect, test } from 'vitest';
import { memoryStore } from '../browser-storage.ts';
import { flashText, takeFlash } from './flash.ts';

describe('a flash message', () => {
  test('is shown once for each history entry', () => {
    const store = memoryStore();
    expect(takeFlash('entry-1', 'Payment method added', store)).toBe('Payment method added');
    expect(takeFlash('entry-1', 'Payment method added', store)).toBeNull();
    expect(takeFlash('entry-2', 'Location removed', store)).toBe('Location removed');
    // On going back, perhaps by the next person.
    expect(takeFlash('entry-1', 'Payment method added', store)).toBeNull();
  });

  test.each([
    [{ flash: 'Location removed' }, 'Location removed'],
    [{ flash: 7 }, null],
    [{ amount: 7 }, null],
    [null, null],
    ['text', null],
  ])('of the state %j is %j', (state, text) => {
    expect(flashText(state)).toBe(text);
  });
});
