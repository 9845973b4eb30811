import type { Command } from '../command.ts';
import { readParameters } from '../read-parameters.ts';
import { CONFIRM_ACCESS } from './staff.ts';

/** `restored`: closes payments until the provider's list has been compared with the restored database, and holds access. */
export const restored: Command = async (client, parameters, print) => {
  const { values } = readParameters({ args: parameters, options: { since: { type: 'string' } } });
  await client.call('restored', { json: values });
  print('Payments are closed until the comparison is done. See: npm run portal -- status');
  print(`Staff and the offices’ keys wait until you confirm them: ${CONFIRM_ACCESS}.`);
};
