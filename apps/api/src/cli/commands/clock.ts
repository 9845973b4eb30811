import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

const SECONDS = { d: 86_400, h: 3_600, m: 60 } as const;

/** `clock +3d`: advances the clock in the demo. The call doesn't exist elsewhere. */
export const clock: Command = async (client, parameters, print) => {
  const { positionals } = readParameters({ args: parameters, options: {}, allowPositionals: true });
  const [, count, unit] = /^\+([1-9]\d{0,4})([dhm])$/.exec(positionals.join(' ')) ?? [];
  if (!count || !unit) throw new WrongWords('Say how far: +3d, +12h or +30m.');
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  const moved = await client.call<{ now: string }>('moveClock', { json: { seconds } }).catch((error) => {
    if (error instanceof CliFailure && error.status === 404) {
      throw new CliFailure('Only the demo’s clock can be moved, that of npm start or npm run dev.');
    }
    throw error;
  });
  print(`By the portal's clock it is ${moved.now.slice(0, 16).replace('T', ' ')} UTC now.`);
};
