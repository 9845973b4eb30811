import type { BrowserContext, ConsoleMessage } from '@playwright/test';

export type ConsoleGuard = {
  watch(context: BrowserContext): void;
  /** From here on, messages like this are no complaint: a test that causes an outage says so. */
  allow(pattern: RegExp): void;
  complaints(): string[];
};

/** The browser's own word about every answer of 400 to 499; a look-up that finds nothing is one. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Collects what pages say on the console (which is where Chromium reports CSP violations) and what they throw. */
export function guardConsole(): ConsoleGuard {
  const heard: string[] = [];
  const allowed: RegExp[] = [];
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

/** Calls may be refused; scripts, styles and pictures may not. */
function isExpectedAnswer(message: ConsoleMessage): boolean {
  return REFUSED.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/');
}
