import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { PAGE, withTransitions } from './transitions-page.ts';

const page = readFileSync(join(root, PAGE), 'utf8');

test('the page shows the table that the engine runs by; `node tools/draw-transitions.ts` draws it anew', () => {
  expect(page).toBe(withTransitions(page));
});

test('a page without its marks is refused', () => {
  expect(() => withTransitions('# Money safety')).toThrow('marks');
});
