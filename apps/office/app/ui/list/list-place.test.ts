import { expect, test } from 'vitest';
import { firstPage, isFirstPage, newerPage, olderPage } from './list-place.ts';

/** Copies the query as text, as a shared link does: it carries everything there is. */
const shared = (search: URLSearchParams) => new URLSearchParams(search.toString());

test('a shared link goes back the way that led to it, page by page', () => {
  const first = new URLSearchParams('franchiseId=11&state=paid');
  const second = olderPage(first, 'a');
  const third = shared(olderPage(second, 'b'));
  expect(third.get('cursor')).toBe('b');
  const back = newerPage(third);
  expect(back.toString()).toBe(second.toString());
  expect(newerPage(back).toString()).toBe(first.toString());
  expect([third, back, newerPage(back)].map(isFirstPage)).toEqual([false, false, true]);
});

test('forward from a page that was gone back to is where one was', () => {
  const third = olderPage(olderPage(new URLSearchParams(), 'a'), 'b');
  expect(olderPage(newerPage(third), 'b').toString()).toBe(third.toString());
});

test('far down the address stays short, and the way back ends at the first page', () => {
  let place = new URLSearchParams('state=paid');
  for (let page = 0; page < 100; page++) place = olderPage(place, `cursor-of-page-${page}`);
  expect(place.toString().length).toBeLessThan(1_000);
  let pages = 0;
  for (; !isFirstPage(place); pages++) place = newerPage(place);
  expect(pages).toBe(21);
  expect(place.toString()).toBe('state=paid');
});

test('the first page keeps what the list is filtered by', () => {
  expect(firstPage(new URLSearchParams('state=paid&cursor=b&newer=a')).toString()).toBe('state=paid');
});
