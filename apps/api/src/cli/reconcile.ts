import type { Command } from './command.ts';
import { printFacts } from './print-facts.ts';
import { readParameters } from './read-parameters.ts';

/** `reconcile`: compares our books with the provider's, and prints what differs. It mends nothing. */
export const reconcile: Command = async (client, parameters, print) => {
  readParameters({ args: parameters, options: {} });
  printFacts(await client.call('POST', '/reconcile', { json: {} }), print);
};
