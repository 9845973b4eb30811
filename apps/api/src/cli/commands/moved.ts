import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

/** `moved --from URL`: the portal had another address before, where nothing runs any more. */
export const moved: Command = async (client, parameters, print) => {
  const { values } = readParameters({ args: parameters, options: { from: { type: 'string' } } });
  if (!values.from) throw new WrongWords('Say --from with the address that the portal had before.');
  const { addresses } = await client.call<{ addresses: string[] }>('moved', { json: { from: values.from } });
  print(`This portal works on the payments of ${addresses.join(' and ')} from now on.`);
};
