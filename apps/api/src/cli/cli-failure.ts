/** Why a command could not be carried out, in words for the person who typed it. The process ends with 1. */
export class CliFailure extends Error {
  /** Details, one a line. */
  readonly lines: string[];

  constructor(message: string, lines: string[] = []) {
    super(message);
    this.lines = lines;
  }
}
