import { readFileSync } from 'node:fs';

// Loaded before the portal: its wall clock and its monotonic clock are ahead by the milliseconds that stand in
// CLOCK_FILE, `<wall> <monotonic>`, read anew each time, as if somebody set the machine's clock or the process slept.

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
