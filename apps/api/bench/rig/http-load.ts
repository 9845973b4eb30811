import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { cpuMilliseconds } from './process-facts.ts';

/** A call to repeat, to a server in a process of its own. */
export type Target = {
  url: string;
  process: ChildProcess;
  headers: Record<string, string>;
  /** Varies each call by its number; with a body it is a POST. */
  vary?: (call: number) => { body: string; headers?: Record<string, string> };
};

export type Load = { perSecond: number; cpuMilliseconds: number };

/** Calls for some seconds on that many connections, each sending the next call once the last is answered. */
export async function load(
  target: Target,
  { seconds, atOnce }: { seconds: number; atOnce: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const cpuBefore = cpuMilliseconds(target.process.pid);
  const start = performance.now();
  let calls = 0;
  const work = async () => {
    while (performance.now() - start < seconds * 1000) await ask(target, { agent, call: calls++ });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const taken = (performance.now() - start) / 1000;
  agent.destroy();
  return {
    perSecond: calls / taken,
    cpuMilliseconds: (cpuMilliseconds(target.process.pid) - cpuBefore) / calls,
  };
}

/** Makes one call; anything but a success fails the bench. */
export function ask(
  { url, headers, vary }: Omit<Target, 'process'>,
  { agent, call = 0 }: { agent: Agent; call?: number },
): Promise<Buffer> {
  const varied = vary?.(call);
  const options = varied
    ? { method: 'POST', headers: { 'content-type': 'application/json', ...headers, ...varied.headers } }
    : { headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...options, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body}`));
      });
      response.on('error', reject);
    });
    asked.on('error', reject).end(varied?.body);
  });
}
