import { env } from '../../../../lib/env.ts';

/** Says with a payment which terms its page showed. */
export function termsShown(): Record<string, string> {
  return env.termsVersion === '' ? {} : { 'Terms-Version': env.termsVersion };
}
