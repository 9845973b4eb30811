import { Skeleton } from './skeleton.tsx';

/** Any page, still coming. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton">
      <p role="status" className="visually-hidden">
        Loading…
      </p>
      <Skeleton shape="heading" width="third" />
      <Skeleton shape="block" />
    </div>
  );
}
