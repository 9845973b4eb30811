import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { useCommandLine } from '../../../test/command-line.ts';

const demo = useTestApp({ NODE_ENV: 'development' });
const production = useTestApp();
const inDemo = useCommandLine(demo);
const elsewhere = useCommandLine(production);

describe('portal clock', () => {
  test('lets days pass in the demo', async () => {
    const { code, output, complaint } = await inDemo.run(['clock', '+3d']);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(output).toMatch(/^By the portal's clock it is \d{4}-\d\d-\d\d \d\d:\d\d UTC now\.\n$/);
  });

  test('exists only in the demo', async () => {
    expect(await elsewhere.run(['clock', '+3d'])).toEqual({
      code: 1,
      output: '',
      complaint: 'Only the demo’s clock can be moved, that of npm start or npm run dev.\n',
    });
  });

  test('says how far it goes at once', async () => {
    expect(await inDemo.run(['clock', '+367d'])).toMatchObject({
      code: 1,
      complaint: 'The clock moves by 366 days at most.\n',
    });
  });

  test.each([['-3d'], ['3d'], ['+3'], ['+0d'], ['+3 weeks'], []])('refuses %s', async (...args) => {
    expect((await inDemo.run(['clock', ...args])).code).not.toBe(0);
  });
});
