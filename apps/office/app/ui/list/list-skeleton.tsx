import { Skeleton } from '@brightpane/ui/page/skeleton.tsx';

/** Placeholders for loading rows, in the table's shape. */
export function ListSkeleton({ columns }: { columns: number }) {
  return (
    <div className="list-skeleton" aria-hidden="true">
      {ROWS.map((row) => (
        <div key={row} className="list-skeleton-row">
          {Array.from({ length: Math.min(columns, 8) }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: shapes without a name.
            <Skeleton key={column} />
          ))}
        </div>
      ))}
    </div>
  );
}

const ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];
