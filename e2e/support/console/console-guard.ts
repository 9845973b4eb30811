import type { BrowserContext, ConsoleMessage } from '@playwright/test';

export type ConsoleGuard = {
  watch(context: BrowserContext): void;
  /** Allows such messages from now on, for tests that cause them on purpose. */
  allow(pattern: RegExp): void;
  complaints(): string[];
};

/** The browser's own message for every 4xx answer, such as a look-up that finds nothing. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/**
 * The provider's script throws when a word of its frame arrives after the frame has gone, so on any page that is left
 * while the frame opens. No page can prevent it; `error-reporting.spec.ts` shows that the portal doesn't report it.
 */
const GONE_CARD_FRAME = /^thrown: (Uncaught )?TypeError: .*'contentWindow'.*\n.*\/js\/v2\/pay\.js:/;

/** Collects pages' console messages (which is where Chromium reports CSP violations) and thrown errors. */
export function guardConsole(): ConsoleGuard {
  const heard: string[] = [];
  const allowed: RegExp[] = [GONE_CARD_FRAME];
  return {
    watch(context) {
      context.on('console', (message) => {
        if (['error', 'warning', 'assert'].includes(message.type()) && !isExpectedAnswer(message)) {
          heard.push(`${message.type()}: ${message.text()} (${message.location().url})`);
        }
      });
      context.on('weberror', (error) =>
        heard.push(`thrown: ${error.error().stack ?? error.error().message}`),
      );
    },
    allow(pattern) {
      allowed.push(pattern);
    },
    complaints: () => heard.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}

/** Calls may be refused; scripts, styles and images may not. */
function isExpectedAnswer(message: ConsoleMessage): boolean {
  return REFUSED.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/');
}
