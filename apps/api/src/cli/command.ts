import type { OfficeClient } from './office-client.ts';

/** A command prints what it did, line by line, and throws a CliFailure when it could not. */
export type Command = (
  client: OfficeClient,
  parameters: string[],
  print: (line: string) => void,
) => Promise<void>;
