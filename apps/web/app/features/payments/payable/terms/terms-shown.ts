import { env } from '../../../../lib/env.ts';

/** Tells the server which version of the terms the page showed. */
export function termsShown(): Record<string, string> {
  return env.termsVersion === '' ? {} : { 'Terms-Version': env.termsVersion };
}
