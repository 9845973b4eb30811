import type { KeyboardEvent } from 'react';

/** For an amount, which people finish with Enter, and for whatever else only the button may pay. */
export function keepEnterFromPaying(event: KeyboardEvent): void {
  const isField = event.target instanceof HTMLInputElement;
  if (event.key === 'Enter' && isField) event.preventDefault();
}
