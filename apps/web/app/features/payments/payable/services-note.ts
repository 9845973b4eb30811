import type { ServicesDraft } from './additional-services.tsx';

/**
 * The note as it is sent. Without an amount it is not: its field is disabled or gone from the screen, so nobody could
 * mend a note that is refused.
 */
export function servicesNote({ amountCents, note }: Pick<ServicesDraft, 'amountCents' | 'note'>): string {
  return amountCents === 0 ? '' : note.trim();
}
