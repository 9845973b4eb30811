import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';

/** `restored`: closes payments until the provider's list has been compared with the restored database. */
export const restored: Command = async (client, parameters, print) => {
  const { values } = readParameters({ args: parameters, options: { since: { type: 'string' } } });
  await client.call('restored', { json: values });
  print('Payments are closed until the comparison is done. See: npm run portal -- status');
};
