import { mailTokenGuards } from '../src/modules/auth/passwords/guessing-limits.ts';
import { countAgainst } from '../src/modules/limits/check-limits.ts';
import type { TestApp } from './build-test-app.ts';

/** Counts as many wrong links from an address as a day allows, so that the next wrong one is refused. */
export async function useUpWrongLinks({ deps }: TestApp, ip = '127.0.0.1'): Promise<void> {
  await countAgainst(
    deps,
    mailTokenGuards(ip).map((guard) => ({ ...guard, weight: 600 })),
  );
}
