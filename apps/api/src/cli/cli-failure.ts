/** Why a command could not be carried out, in words for the person who typed it. The process ends with 1. */
export class CliFailure extends Error {
  /** Details, one a line. */
  readonly lines: string[];
  /** What the portal answered with, where that is why. */
  readonly status: number | undefined;

  constructor(message: string, lines: string[] = [], status?: number) {
    super(message);
    this.lines = lines;
    this.status = status;
  }
}
