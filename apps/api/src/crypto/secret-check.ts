import { hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => hash('sha256', text, 'buffer');

/**
 * Tells whether what is given is one of these secrets: there are several while one replaces another. How long it takes says
 * nothing: digests have one length whatever was sent, and each is compared, also after a match.
 */
export function secretCheck(secrets: readonly string[]): (given: string) => boolean {
  const expected = secrets.map(digest);
  return (given) => {
    const sent = digest(given);
    return expected.filter((each) => timingSafeEqual(sent, each)).length > 0;
  };
}
