import { CliFailure } from './cli-failure.ts';

/** The input isn't a valid command. The process exits with 2. */
export class WrongWords extends CliFailure {}
