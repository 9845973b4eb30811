import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

const SayDone = createContext<(words: string) => void>(() => {});

/** Says what a dialog's act has done, below the screen: what opened the dialog may be gone by then. */
export const useSayDone = () => useContext(SayDone);

/** Shows what was said last, until the next press or screen. Screen readers read it out; the focus stays. */
export function DoneNotice({ children }: { children: ReactNode }) {
  const [words, setWords] = useState('');
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is about something else.
  useEffect(() => setWords(''), [key]);
  useEffect(() => {
    if (words === '') return;
    const forget = () => setWords('');
    document.addEventListener('click', forget);
    return () => document.removeEventListener('click', forget);
  }, [words]);
  return (
    <SayDone value={setWords}>
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
