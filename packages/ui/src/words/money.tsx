import { type Cents, formatUsd } from '@brightpane/money/cents';

/** An amount in tabular figures, so that columns line up. */
export function Money({ cents, className = '' }: { cents: Cents; className?: string }) {
  return <span className={`money ${className}`}>{formatUsd(cents)}</span>;
}
