import http from 'node:http';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from '../../apps/api/bench/rig/bench-portal.ts';
import { mannWhitneyP } from '../../apps/api/test/mann-whitney.ts';
import { end } from '../bench/at-end.ts';

// Checks whether the time of a refusal reveals how much of `X-APISecret` was right. `node tools/scan/secret-timing.ts
// [SAMPLES]` calls a portal on loopback with a wrong first byte and a wrong last byte, in turns, and fails if the times
// differ by more than chance.

const samples = Number(process.argv[2] ?? 10_000);
const SURELY_DIFFERENT = 0.001;

const { apiSecret } = BENCH_SECRETS;
const WRONG = {
  'first byte wrong': `~${apiSecret.slice(1)}`,
  'last byte wrong': `${apiSecret.slice(0, -1)}~`,
};
type Kind = keyof typeof WRONG;

const times = await withBenchPortal({}, measure, { short: true }).finally(end);
for (const [kind, values] of Object.entries(times)) {
  process.stdout.write(`${kind}: ${values.length} samples, median ${median(values).toFixed(1)} µs\n`);
}
const p = mannWhitneyP(times['first byte wrong'], times['last byte wrong']);
process.stdout.write(`as different by chance: p = ${p.toFixed(3)}\n`);
if (p < SURELY_DIFFERENT) process.exitCode = 1;

async function measure(portal: BenchPortal): Promise<Record<Kind, number[]>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const kinds = Object.keys(WRONG) as Kind[];
  const measured: Record<Kind, number[]> = { 'first byte wrong': [], 'last byte wrong': [] };
  for (const kind of kinds.flatMap((each) => Array<Kind>(500).fill(each)))
    await refusal(portal, agent, WRONG[kind]);
  for (let sample = 0; sample < samples; sample++) {
    // Random order, so that periodic disturbances hit both.
    for (const kind of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      measured[kind].push(await refusal(portal, agent, WRONG[kind]));
    }
  }
  agent.destroy();
  return measured;
}

/** The microseconds until the answer, which must be a 401. */
function refusal({ url }: BenchPortal, agent: http.Agent, secret: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const request = http.get(`${url}/api/user`, { agent, headers: { 'x-apisecret': secret } }, (answer) => {
      const microseconds = Number(process.hrtime.bigint() - start) / 1000;
      if (answer.statusCode !== 401) reject(new Error(`answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(microseconds));
    });
    request.once('error', reject);
  });
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
