import { expect, test, vi } from 'vitest';
import { workTogether } from './work-together.ts';

/** Due items, each worked on until the test ends it, and how many each look asked for and found. */
function arrange(due: string[]) {
  const looks: [asked: number, found: number][] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const begun: string[] = [];
  return {
    due,
    looks,
    begun,
    take: async (most: number) => {
      const items = due.splice(0, most);
      looks.push([most, items.length]);
      return items;
    },
    work: (item: string) => {
      begun.push(item);
      const end = Promise.withResolvers<void>();
      ends.set(item, end);
      return end.promise;
    },
    end: (item: string) => ends.get(item)?.resolve(),
    fail: (item: string) => ends.get(item)?.reject(new Error(`${item} failed`)),
  };
}

const untilBegun = ({ begun }: { begun: string[] }, ...items: string[]) =>
  vi.waitFor(() => expect(begun).toEqual(items));

test('finds a single item with a single look', async () => {
  const items = arrange(['a']);
  const done = workTogether({ workers: 4, ...items });
  await untilBegun(items, 'a');
  items.end('a');
  await done;
  expect(items.looks).toEqual([[4, 1]]);
});

test('works on no more at a time than it may, until nothing is left', async () => {
  const items = arrange(['a', 'b', 'c']);
  const done = workTogether({ workers: 2, ...items });
  await untilBegun(items, 'a', 'b');
  items.end('b');
  await untilBegun(items, 'a', 'b', 'c');
  items.end('a');
  items.end('c');
  await done;
  expect(items.looks.map(([asked]) => asked)).toEqual(expect.arrayContaining([2, 1]));
  expect(items.due).toEqual([]);
});

test('what falls due meanwhile does not wait for an item that takes long', async () => {
  const items = arrange(['slow', 'quick']);
  const done = workTogether({ workers: 3, ...items });
  await untilBegun(items, 'slow', 'quick');
  items.due.push('next');
  items.end('quick');
  await untilBegun(items, 'slow', 'quick', 'next');
  items.end('slow');
  items.end('next');
  await done;
});

test('an item that must be alone is followed by the next only when it has ended', async () => {
  const items = arrange(['a', 'b']);
  const take = (most: number) => items.take(Math.min(most, 1));
  const done = workTogether({ workers: 4, ...items, take, mayShare: () => false });
  await untilBegun(items, 'a');
  items.end('a');
  await untilBegun(items, 'a', 'b');
  expect(items.looks).toEqual([
    [1, 1],
    [1, 1],
  ]);
  items.end('b');
  await done;
});

test('an item that fails costs a worker, and the rest is done before it is told', async () => {
  const items = arrange(['a', 'b', 'c']);
  const done = workTogether({ workers: 2, ...items });
  await untilBegun(items, 'a', 'b');
  items.fail('a');
  items.end('b');
  await untilBegun(items, 'a', 'b', 'c');
  items.end('c');
  await expect(done).rejects.toThrow('a failed');
});

test('a look that fails ends with its error, once what was begun is done', async () => {
  const items = arrange(['a']);
  let looks = 0;
  const take = async (most: number) => {
    if (looks++ > 0) throw new Error('no database');
    return items.take(Math.min(most, 1));
  };
  const done = workTogether({ workers: 1, ...items, take });
  await untilBegun(items, 'a');
  items.end('a');
  await expect(done).rejects.toThrow('no database');
});

test('looks for nothing more once it is stopping', async () => {
  const items = arrange(['a', 'b']);
  let isStopping = false;
  const done = workTogether({ workers: 1, ...items, isStopping: () => isStopping });
  await untilBegun(items, 'a');
  isStopping = true;
  items.end('a');
  await done;
  expect(items.due).toEqual(['b']);
});
