import { HttpProblem } from '../../../http/problem.ts';
import type { ReviewRefusal } from './review-refusal.ts';

const PROBLEMS = {
  'not-in-review': [404, 'No such charge is in review.'],
  busy: [409, 'This charge is being worked on. Please try again in a minute.'],
  'not-for-this-state': [409, 'A charge in this state cannot be decided like this.'],
  'no-hold': [409, 'The provider has no hold under this order id.'],
  captured: [409, 'The provider has captured this charge. Nothing was changed.'],
  'not-collected': [409, 'The provider has not collected this charge. Nothing was changed.'],
  'still-held': [
    409,
    'The provider still shows a hold, which could be collected. Give it back or void it first. Nothing was changed.',
  ],
  'records-unclear': [409, 'The provider’s records do not prove this. Nothing was changed.'],
  'not-a-person': [403, 'Only a person who has signed in can say this.'],
} satisfies Record<ReviewRefusal | 'not-a-person', [number, string]>;

export function reviewProblem(code: keyof typeof PROBLEMS): HttpProblem {
  const [status, detail] = PROBLEMS[code];
  return new HttpProblem(status, detail, { errors: [{ code, description: detail }] });
}

export const differenceNotFound = () =>
  new HttpProblem(404, 'No such difference was found, or somebody has acknowledged it.');
