import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useFranchiseSearch } from '../../lib/franchise-choice.ts';
import { isSomethingTyped } from '../../lib/something-typed.ts';

/**
 * `Esc` outside of fields and dialogs goes back; if the console was opened on this page, it goes to the page's list.
 * Unsent input keeps the page, and so does a form that is being sent: its outcome would be lost.
 */
export function useBackKey(list: string): void {
  const navigate = useNavigate();
  const search = useFranchiseSearch();
  const goBack = useRef(() => {});
  goBack.current = () => {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number };
    void (idx > 0 ? navigate(-1) : navigate(`${list}${search}`));
  };
  // With what is drawn: the first key after it counts.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element | null;
      if (target?.closest('input, select, textarea')) return;
      if (document.querySelector('dialog[open], main form [aria-busy="true"]')) return;
      if (!isSomethingTyped()) goBack.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
