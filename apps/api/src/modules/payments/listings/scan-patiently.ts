import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { type Scan, type ScanRequest, scanListing } from './scan-listing.ts';

/** A minute's listing budget comes back within this wait; a day's doesn't. */
const LONGEST_WAIT_SECONDS = 65;
const WAIT_MILLISECONDS = 2_000;

/** Waits for the listing budget while a person waits for the answer, who may not have that long. Background work never does. */
export async function scanPatiently(
  deps: Deps,
  request: ScanRequest,
  { millisecondsLeft = () => Number.POSITIVE_INFINITY }: { millisecondsLeft?: () => number } = {},
): Promise<Scan> {
  for (;;) {
    const scan = await scanListing(deps, request);
    const { againInSeconds = Number.POSITIVE_INFINITY } = scan;
    const isInTime = againInSeconds <= LONGEST_WAIT_SECONDS && againInSeconds * 1000 < millisecondsLeft();
    if (!isInTime || deps.underWay.isEnding()) return scan;
    await wait(WAIT_MILLISECONDS);
  }
}
