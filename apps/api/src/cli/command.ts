import type { OfficeClient } from './office-client.ts';

/** Prints what it did, line by line, and throws a CliFailure if it can't. */
export type Command = (
  client: OfficeClient,
  parameters: string[],
  print: (line: string) => void,
) => Promise<void>;
