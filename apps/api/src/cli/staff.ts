import { CliFailure } from './cli-failure.ts';
import type { Command } from './command.ts';
import { readParameters } from './read-parameters.ts';

/** The people of the demo. */
const DEMO_EMAILS = ['olive@example.com', 'henry@example.com'];

/** `staff demo-link [--email E]`: an address that signs in one of the demo's people, once. */
export const staff: Command = async (client, [what, ...parameters], print) => {
  if (what !== 'demo-link') throw new CliFailure('Say what to do: demo-link.');
  const { values } = readParameters({ args: parameters, options: { email: { type: 'string' } } });
  for (const email of values.email ? [values.email] : DEMO_EMAILS) {
    const { link } = await client.call<{ link: string }>('demoLink', { json: { email } });
    print(`${email}: ${link}`);
  }
};
