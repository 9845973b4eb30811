import type { Command } from '../command.ts';
import { printFacts } from '../print-facts.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

/** `credits`: lists credits that couldn't be mailed; `credits seen ID` marks one as seen. */
export const credits: Command = async (client, parameters, print) => {
  const { positionals } = readParameters({ args: parameters, allowPositionals: true, options: {} });
  const [decision, creditId, ...more] = positionals;
  if (decision === undefined) {
    const unseen = await client.call<unknown[]>('credits');
    if (unseen.length === 0) print('No credit waits to be looked at.');
    else printFacts(unseen, print);
    return;
  }
  if (decision !== 'seen' || creditId === undefined || more.length > 0) {
    throw new WrongWords('Say credits, or credits seen ID.');
  }
  await client.call('creditSeen', { params: { creditId }, json: {} });
  print(`Credit ${creditId} has been looked at.`);
};
