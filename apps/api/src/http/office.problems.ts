import { HttpProblem, UNREADABLE } from './problem.ts';

/** A refusal with a sentence for people and a code for the console. */
export const coded = (status: number, code: string, description: string, field?: string) =>
  new HttpProblem(status, description, {
    errors: [{ code, description, ...(field !== undefined && { field }) }],
  });

export const notAllowed = () => coded(403, 'NotAllowed', 'You may not do this.');
export const personNeeded = () => coded(403, 'PersonNeeded', 'This needs a person who is signed in.');
export const foreignRequest = () =>
  coded(403, 'ForeignRequest', 'This request did not come from the office console.');

export const signedOut = () => coded(401, 'SignedOut', 'Please sign in.');
export const signInExpired = () => coded(401, 'SignInExpired', 'This took too long. Please sign in again.');
export const anotherPerson = () =>
  coded(401, 'AnotherPerson', 'Somebody else has signed in here. Load the page again.');
export const sessionIdle = () =>
  coded(401, 'SessionIdle', 'You were away for a while. Please confirm that it is you.');

export const stepUpRequired = () => coded(403, 'StepUpRequired', 'Please confirm with your second factor.');
export const stepUpInvalid = () =>
  coded(
    403,
    'StepUpInvalid',
    'Please confirm again: what you confirmed was used, is too old, or was something else.',
  );

export const editedMeanwhile = () =>
  coded(409, 'EditedMeanwhile', 'Somebody changed this meanwhile. Look at it again, then save.');
export const keyReused = () =>
  coded(
    422,
    'KeyReused',
    'This was sent before with other details. Load the page again to see what was done.',
  );
export const invalidIdempotencyKey = () => coded(400, 'InvalidIdempotencyKey', UNREADABLE);

export const doneAlready = () =>
  coded(
    409,
    'DoneAlready',
    'This was done already, and what it showed is not shown again. If you missed it, make a new one.',
  );
