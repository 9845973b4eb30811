import { Skeleton } from './skeleton.tsx';

/** The placeholder of any page that is still loading. */
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
