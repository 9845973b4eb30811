import type { KeyboardEvent } from 'react';

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
