import { CliFailure } from './cli-failure.ts';

/** What was typed says nothing that could be done. The process ends with 2. */
export class WrongWords extends CliFailure {}
