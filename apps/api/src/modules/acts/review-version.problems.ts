import { coded } from '../../http/office.problems.ts';

/** A person acknowledges what they were shown, which the version names. */
export const reviewVersionRequired = () =>
  coded(428, 'VersionRequired', 'Load this page again, then acknowledge it.');

export const reviewEditedMeanwhile = () =>
  coded(409, 'EditedMeanwhile', 'This has changed since you looked. Look at it again, then acknowledge it.');
