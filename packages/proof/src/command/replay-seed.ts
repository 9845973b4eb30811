import type { Bounds } from '../simulation/bounds.ts';
import { playSeeds } from '../simulation/play-seeds.ts';

/** Plays one seed and prints everything that happens. Returns whether it failed. */
export async function replaySeed(
  databaseUrl: string,
  options: { seed: number; bounds: Bounds; bug: string | undefined; signal: AbortSignal },
): Promise<boolean> {
  const { seed, ...how } = options;
  const [run] = await playSeeds({ databaseUrl, from: seed, count: 1, trace: true, ...how });
  if (!run) throw new Error(`seed ${seed} said nothing`);
  const { world, trace = [], told = [], wrong } = run;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`seed ${seed}\n`);
  for (const { name, user, card, invoices, ...rest } of world?.payers ?? []) {
    const orders = invoices.map(({ workOrderNumber, merchant }) => `${workOrderNumber} (${merchant})`);
    const { tipCents, servicesCents, doubleClicks, changesBody } = rest;
    say(`${name}: ${user ? 'signed in' : `a guest, card ${card}`}, work orders ${orders.join(', ')}`);
    say(`  ${JSON.stringify({ tipCents, servicesCents, doubleClicks, changesBody })}`);
  }
  say(`events: ${JSON.stringify(world?.events)}`);
  say(`chances in a thousand: ${JSON.stringify(world?.perMille)}`);
  say(`clocks off by: ${JSON.stringify(world?.skews)}\n`);
  for (const [index, step] of trace.entries()) say(`${String(index + 1).padStart(4)}  ${step}`);
  say('');
  for (const { payer, heard, codes, idempotencyKey } of told)
    say(`${payer} heard: ${[heard, ...codes].join(', ')} (key ${idempotencyKey})`);
  say(wrong.length === 0 ? '\nNothing is wrong.' : `\nWrong:\n- ${wrong.join('\n- ')}`);
  return wrong.length > 0;
}
