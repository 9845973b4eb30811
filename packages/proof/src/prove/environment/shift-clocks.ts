import { readFileSync } from 'node:fs';

// Preloaded into the portal: shifts its wall clock and its monotonic clock by the milliseconds in CLOCK_FILE
// (`<wall> <monotonic>`), read at each use, as if somebody set the machine's clock or the process slept.

const file = process.env.CLOCK_FILE ?? '';

function ahead(): [wall: number, monotonic: number] {
  const [wall = 0, monotonic = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
  return [wall, monotonic];
}

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
const shiftedNow = () => realNow() + ahead()[0];
globalThis.Date = new Proxy(RealDate, {
  construct: (_target, given, newTarget) =>
    Reflect.construct(RealDate, given.length === 0 ? [shiftedNow()] : given, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) => (name === 'now' ? shiftedNow : Reflect.get(target, name, receiver)),
});

const monotonicNow = performance.now.bind(performance);
performance.now = () => monotonicNow() + ahead()[1];
