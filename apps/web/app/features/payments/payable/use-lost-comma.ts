import { type RefCallback, useCallback, useRef } from 'react';
import { withComma } from './amount-text.ts';

/**
 * Chrome drops a comma that is typed or pasted into a number field: "12,50" becomes 1250. This notes what stands before a
 * comma as it is entered, and puts the comma back into what the field says it holds.
 */
export function useLostComma(unclear: string | undefined): {
  ref: RefCallback<HTMLInputElement>;
  /** What was entered, with its comma, unless the field took that as a point. */
  restore: (field: HTMLInputElement) => string;
  /** What is entered later is another number. */
  forget: () => void;
} {
  const heads = useRef<string[] | null>(null);
  const ref = useCallback((field: HTMLInputElement) => {
    const note = ({ data }: InputEvent) => {
      if (!data?.includes(',')) return;
      const head = data.slice(0, data.indexOf(',')).replace(/[^\d.-]/g, '');
      // A paste may have added to what was there, or replaced it.
      heads.current = head === '' ? [field.value] : [field.value + head, head];
    };
    field.addEventListener('beforeinput', note);
    return () => field.removeEventListener('beforeinput', note);
  }, []);
  return {
    ref,
    restore({ value, validity }) {
      const known = heads.current ?? (unclear?.includes(',') ? unclear.split(',').slice(0, 1) : []);
      for (const head of known) {
        const text = withComma(value, head);
        if (text !== value) return text;
      }
      if (!validity.badInput) heads.current = null;
      return value;
    },
    forget() {
      heads.current = null;
    },
  };
}
