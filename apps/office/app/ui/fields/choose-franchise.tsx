import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { OfficeTitle } from '../frame/office-title.tsx';

/** In place of a screen that is about one franchise, while all are chosen. */
export function ChooseFranchise({ title }: { title: string }) {
  return (
    <div className="screen">
      <OfficeTitle title={title} />
      <EmptyState title="Choose a franchise">This is about one office. Choose it at the top.</EmptyState>
    </div>
  );
}
