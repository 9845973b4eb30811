import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

/** `invite --franchise N --customer N --email E`: sends an invitation to a customer. */
export const invite: Command = async (client, parameters, print) => {
  const { values } = readParameters({
    args: parameters,
    options: { franchise: { type: 'string' }, customer: { type: 'string' }, email: { type: 'string' } },
  });
  const { franchise, customer, email } = values;
  if (!franchise || !customer || !email) throw new WrongWords('Say --franchise N --customer N --email E.');
  await client.call('invite', {
    json: { franchiseId: franchise, customerNumber: customer, email },
  });
  print(`Invited ${email} to customer ${customer} of franchise ${franchise}.`);
};
