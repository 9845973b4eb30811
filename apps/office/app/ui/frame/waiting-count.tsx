import { MOST_WAITING } from '@brightpane/contract/office/most-shown';

/** How much waits behind a sidebar link; renders nothing for 0. */
export function WaitingCount({
  id,
  count,
  one,
  many,
}: {
  id: string;
  count: number;
  one: string;
  many: string;
}) {
  if (count === 0) return null;
  const words = count === 1 ? one : many;
  const number = count < MOST_WAITING ? count : `${MOST_WAITING - 1}+`;
  return (
    <span id={id} className="office-nav-count" title={`${number} ${words}`}>
      <span>{number}</span>
      <span className="visually-hidden"> {words}</span>
    </span>
  );
}
