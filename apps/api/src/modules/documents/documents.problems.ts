import { HttpProblem } from '../../http/problem.ts';

const OUTCOMES = {
  'link-invalid': () =>
    new HttpProblem(403, 'This link is no longer good. Please open the invoice again for a new one.'),
  'not-found': () => new HttpProblem(404, 'There is no document at this address.'),
};

export function documentProblem(code: keyof typeof OUTCOMES): HttpProblem {
  return OUTCOMES[code]();
}

/** More documents are waiting to be drawn than would be soon enough. */
export const documentsBusy = () =>
  new HttpProblem(503, 'We are drawing many documents right now. Please try again in a moment.', {
    headers: { 'retry-after': '10' },
  });
