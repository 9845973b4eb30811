/** A connection that is given up: what was under way on it may have happened, or not. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}
