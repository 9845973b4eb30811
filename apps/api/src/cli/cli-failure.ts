/** Why a command failed, in words for the person who typed it. The process exits with 1. */
export class CliFailure extends Error {
  /** Details, one per line. */
  readonly lines: string[];
  /** The portal's answer, if that is the reason. */
  readonly status: number | undefined;

  constructor(message: string, lines: string[] = [], status?: number) {
    super(message);
    this.lines = lines;
    this.status = status;
  }
}
