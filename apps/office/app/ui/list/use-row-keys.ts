import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { useNavigationType } from 'react-router';

/** Arrows go from row to row; Enter follows the row's link by itself. For the element around the rows. */
export function useRowKeys(): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
    const at = links.indexOf(event.target as HTMLElement);
    const next = at === -1 ? undefined : links[at + step];
    if (at === -1) return;
    event.preventDefault();
    next?.focus();
  };
}

/** From the search field the arrow down leads to the first row. */
export function focusFirstRow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown') return;
  const first = document.querySelector<HTMLElement>('[data-row-link]');
  if (first === null) return;
  event.preventDefault();
  first.focus();
}

/** The row that was opened last, by its link. */
let opened: string | null = null;

/** Answers what notes that a row is opened. Who comes back to the list is at that row again, with the keyboard too. */
export function useReturnToRow(
  rows: RefObject<HTMLElement | null>,
): (event: { target: EventTarget }) => void {
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the rows have come.
  useEffect(() => {
    const links = rows.current?.querySelectorAll<HTMLAnchorElement>('[data-row-link]') ?? [];
    const row = [...links].find(({ href }) => href === opened);
    if (!isBack || row === undefined) return;
    opened = null;
    // Unless something else has been turned to meanwhile.
    return focusSoon(() => {
      if (!document.activeElement?.matches('body, h1')) return null;
      row.scrollIntoView({ block: 'nearest' });
      return row;
    });
  }, []);
  return ({ target }) => {
    const link = (target as Element).closest<HTMLAnchorElement>('[data-row-link]');
    if (link) opened = link.href;
  };
}
