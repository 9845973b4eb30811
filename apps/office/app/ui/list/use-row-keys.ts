import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { useNavigationType } from 'react-router';

/** Arrow keys move between the rows' links (Enter follows a link anyway). Use on the element around the rows. */
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

/** Arrow down in the search field moves to the first row. */
export function focusFirstRow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown') return;
  const first = document.querySelector<HTMLElement>('[data-row-link]');
  if (first === null) return;
  event.preventDefault();
  first.focus();
}

/** The link of the row opened last. */
let opened: string | null = null;

/** Returns the handler that notes which row is opened. Going back to the list scrolls to and focuses that row. */
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
    // Unless the focus has moved elsewhere meanwhile.
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
