import { focusTitleIfLost } from '@brightpane/ui/page/focus-soon';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

const SayDone = createContext<(words: string) => void>(() => {});

/** Says what an act has done, below the screen: the button of the act, or what opened its dialog, may be gone by then. */
export const useSayDone = () => useContext(SayDone);

/**
 * Shows what was said last, until the next press or screen. Screen readers read it out; the focus stays, or goes to the
 * screen's title if the button that had it is gone.
 */
export function DoneNotice({ children }: { children: ReactNode }) {
  const [words, setWords] = useState('');
  const [next, setNext] = useState('');
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is about something else.
  useEffect(() => {
    setWords('');
    setNext('');
  }, [key]);
  useEffect(() => {
    if (next === '') return;
    return afterNextFrame(() => {
      setWords(next);
      setNext('');
      focusTitleIfLost();
    });
  }, [next]);
  useEffect(() => {
    if (words === '') return;
    const forget = () => setWords('');
    document.addEventListener('click', forget);
    return () => document.removeEventListener('click', forget);
  }, [words]);
  return (
    <SayDone value={setNext}>
      {children}
      {/* Always there, as screen readers read only what changes. */}
      <p
        aria-live="polite"
        className={words === '' ? 'visually-hidden' : 'notice notice-success office-done'}
      >
        {words}
      </p>
    </SayDone>
  );
}

/**
 * The dialog closes in the commit that brings the words, and what is behind an open one is nothing to screen readers. They
 * read out a change of what they already know, so the page is drawn without the dialog first.
 */
function afterNextFrame(say: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(say);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
