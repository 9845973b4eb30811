import { describe, expect, test } from 'vitest';
import { type Press, PressGate } from './press-gate.ts';

const click = (time: number, press: Partial<Press> = {}): Press => ({
  time,
  clicks: 1,
  content: 'zoe',
  ...press,
});
const key = (time: number, press: Partial<Press> = {}) => click(time, { clicks: 0, ...press });

/** A gate that let a press through at 0, with its outcome already on the screen. */
function gateAfter({ hasSucceeded }: { hasSucceeded: boolean }): PressGate {
  const gate = new PressGate();
  gate.enter(key(0));
  gate.end();
  gate.open({ hasSucceeded });
  return gate;
}

describe('while something is under way', () => {
  test.each([
    click(0),
    click(20, { clicks: 2 }),
    key(0),
    key(16),
    key(60_000),
    click(30, { content: 'other' }),
  ])('drops %j', (second) => {
    const gate = new PressGate();
    expect(gate.enter(click(0))).toBe(true);
    expect(gate.enter(second)).toBe(false);
    // A render that isn't this press's outcome doesn't open it.
    gate.open({ hasSucceeded: false });
    expect(gate.enter(second)).toBe(false);
  });

  test('stays shut until the outcome is drawn', () => {
    const gate = new PressGate();
    gate.enter(click(0));
    gate.end();
    expect(gate.enter(click(5_000))).toBe(false);
  });

  test('stays shut where the form was drawn idle between two parts of what is under way', () => {
    const gate = new PressGate();
    gate.enter(click(0));
    gate.wait();
    gate.open({ hasSucceeded: false });
    expect(gate.enter(click(5_000))).toBe(false);
    gate.wait();
    gate.end();
    expect(gate.enter(click(6_000))).toBe(false);
  });
});

describe('once the outcome is shown', () => {
  test('lets a press through as soon as what was sent has ended, before anything more is drawn', () => {
    const gate = new PressGate();
    gate.enter(click(0));
    gate.wait();
    gate.open({ hasSucceeded: false });
    gate.end();
    expect(gate.enter(click(120))).toBe(true);
  });

  test.each([
    ['the second half of a double click', click(120, { clicks: 2 })],
    ['a key that bounced', key(80)],
    ['the third half', click(900, { clicks: 3 })],
  ])('drops %s', (_what, second) => {
    expect(gateAfter({ hasSucceeded: false }).enter(second)).toBe(false);
    expect(gateAfter({ hasSucceeded: true }).enter(second)).toBe(false);
  });

  test('a success is not asked for again at once, by a single click either', () => {
    expect(gateAfter({ hasSucceeded: true }).enter(click(120))).toBe(false);
    expect(gateAfter({ hasSucceeded: true }).enter(click(700))).toBe(true);
  });

  test.each([
    ['a single click after a failure', click(120)],
    ['a key after a correction', key(120, { content: 'zoë' })],
    ['a key, later', key(700)],
  ])('lets %s through', (_what, next) => {
    expect(gateAfter({ hasSucceeded: false }).enter(next)).toBe(true);
  });

  test('drops all of a key that is held', () => {
    const gate = gateAfter({ hasSucceeded: false });
    const passed = [100, 400, 700, 1_000, 1_300].filter((time) => gate.enter(key(time)));
    expect(passed).toEqual([]);
  });
});

test('a click that only opened the form does not send it with its second half', () => {
  expect(new PressGate().enter(click(0, { clicks: 2 }))).toBe(false);
});
