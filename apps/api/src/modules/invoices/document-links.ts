import type { KeyObject } from 'node:crypto';
import { deriveKeys } from '../../crypto/derive-key.ts';
import { isSameInConstantTime, signText } from '../../crypto/signature.ts';
import type { Deps } from '../../deps.ts';
import { type KeptResults, keepResults } from '../../keep-results.ts';

export type DocumentFormat = 'pdf' | 'png';

const LIFETIME_SECONDS = 600;
const STEP_SECONDS = 60;

const signingKeysOf = ({ env }: Pick<Deps, 'env'>) => deriveKeys(env, 'document links');

const signature = (key: KeyObject, claim: string, expires: number) => signText(key, `${claim}.${expires}`);

/** The current minute's links, by settings and by what was signed. */
const keptLinks = new WeakMap<Deps['env'], { expires: number; kept: KeptResults<string> }>();

/** A signed link to an invoice's document, which nobody can guess or alter. */
export function documentLink(
  deps: Pick<Deps, 'env' | 'clock'>,
  { documentId, format }: { documentId: string; format: DocumentFormat },
): string {
  return signedLink(deps, `${documentId}.${format}`);
}

/**
 * A link to a file, valid for at most ten minutes. It stays the same for a minute, so that nothing is signed twice and a
 * reloaded page shows the document that the browser has, once the server has said that it is still the same. `claim` is
 * what is signed if the file name alone doesn't identify the content.
 */
export function signedLink(
  deps: Pick<Deps, 'env' | 'clock'>,
  file: string,
  { about, claim = file }: { about?: URLSearchParams; claim?: string } = {},
): string {
  const step = Math.floor(deps.clock().getTime() / 1000 / STEP_SECONDS);
  const expires = step * STEP_SECONDS + LIFETIME_SECONDS;
  return linksUntil(deps, expires)(claim, () => {
    const [newest] = signingKeysOf(deps);
    // Digits and base64url need no escaping.
    const signed = `expires=${expires}&signature=${signature(newest, claim, expires)}`;
    return `${deps.env.PUBLIC_URL}/api/documents/${file}?${about ? `${about}&${signed}` : signed}`;
  });
}

function linksUntil({ env }: Pick<Deps, 'env'>, expires: number): KeptResults<string> {
  let links = keptLinks.get(env);
  if (links?.expires !== expires) {
    links = { expires, kept: keepResults() };
    keptLinks.set(env, links);
  }
  return links.kept;
}

/** Whether a link is ours, for exactly this file, and not expired. */
export function isLinkGood(
  deps: Pick<Deps, 'env' | 'clock'>,
  link: { claim: string; expires: number; signature: string },
): boolean {
  const isOurs = signingKeysOf(deps).some((key) =>
    isSameInConstantTime(link.signature, signature(key, link.claim, link.expires)),
  );
  return isOurs && link.expires * 1000 > deps.clock().getTime();
}
