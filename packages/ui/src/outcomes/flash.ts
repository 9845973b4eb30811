import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { TextStore } from '../browser-storage.ts';
import { isFirstTime } from './first-time.ts';

const SHOWN = 'flash.shown';

/** The message that the previous page left in the history state. Shown once: not after a reload, nor on going back. */
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
  return shown?.key === key ? shown.text : null;
}

/** Returns the text only the first time it is asked for under this history key. */
export function takeFlash(key: string, text: string, store?: TextStore): string | null {
  return isFirstTime(SHOWN, key, store) ? text : null;
}

export function flashText(state: unknown): string | null {
  const flash = (state as { flash?: unknown } | null)?.flash;
  return typeof flash === 'string' ? flash : null;
}
