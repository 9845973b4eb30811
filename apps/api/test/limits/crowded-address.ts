import {
  emailChangesPastLimits,
  mailGuard,
  registrationsPastLimits,
} from '../../src/modules/auth/mailbox/mail-limits.ts';
import { clearLimits, countAgainst } from '../../src/modules/limits/check-limits.ts';
import type { TestApp } from '../build-test-app.ts';

/** Counts mails asked for from an address; by default as many as an hour allows. */
export async function useUpMails({ deps }: TestApp, ip = '127.0.0.1', count = 300): Promise<void> {
  await countAgainst(deps, [{ ...mailGuard(ip), weight: count }]);
}

/** Forgets the mails that were asked for from an address. */
export async function forgetMails({ deps }: TestApp, ip = '127.0.0.1'): Promise<void> {
  await clearLimits(deps, [mailGuard(ip)]);
}

/** Counts registrations past their address's limit; by default as many as an hour allows. */
export async function useUpRegistrations({ deps }: TestApp, count = 1000): Promise<void> {
  await countAgainst(deps, [{ ...registrationsPastLimits, weight: count }]);
}

/** Counts changes of address past their network address's limit; by default as many as an hour allows. */
export async function useUpEmailChanges({ deps }: TestApp, count = 1000): Promise<void> {
  await countAgainst(deps, [{ ...emailChangesPastLimits, weight: count }]);
}
