import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { TextStore } from '../browser-storage.ts';
import { isFirstTime } from './first-time.ts';

const SHOWN = 'flash.shown';

/**
 * The message that the previous page left in the history state. Shown once: not after a reload, nor on going back, nor
 * beside the outcome of a form that was sent since.
 */
export function useFlash(): string | null {
  const { key, state } = useLocation();
  const text = flashText(state);
  const [shown, setShown] = useState<{ key: string; text: string | null } | null>(null);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (text === null || asked.current === key) return;
    asked.current = key;
    setShown({ key, text: takeFlash(key, text) });
  }, [key, text]);
  const current = shown?.key === key ? shown.text : null;
  useEffect(() => {
    if (current === null) return;
    const end = () => setShown(null);
    document.addEventListener('submit', end);
    return () => document.removeEventListener('submit', end);
  }, [current]);
  return current;
}

/** Returns the text only the first time it is asked for under this history key. */
export function takeFlash(key: string, text: string, store?: TextStore): string | null {
  return isFirstTime(SHOWN, key, store) ? text : null;
}

export function flashText(state: unknown): string | null {
  const flash = (state as { flash?: unknown } | null)?.flash;
  return typeof flash === 'string' ? flash : null;
}
