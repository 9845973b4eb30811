/** A connection that was given up; whatever was in progress on it may or may not have happened. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}
