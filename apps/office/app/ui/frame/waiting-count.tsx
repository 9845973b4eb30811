import { MOST_WAITING } from '@brightpane/contract/office/most-shown';

/** How much waits behind a sidebar link; renders nothing for 0. */
export function WaitingCount({ id, count, words }: { id: string; count: number; words: string }) {
  if (count === 0) return null;
  const number = count < MOST_WAITING ? count : `${MOST_WAITING - 1}+`;
  return (
    <span id={id} className="office-nav-count" title={`${number} ${words}`}>
      <span>{number}</span>
      <span className="visually-hidden"> {words}</span>
    </span>
  );
}
