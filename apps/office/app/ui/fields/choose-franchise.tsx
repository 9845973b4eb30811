import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { OfficeTitle } from '../frame/office-title.tsx';

/** Replaces a screen about one franchise while all are selected. */
export function ChooseFranchise({ title }: { title: string }) {
  return (
    <div className="screen">
      <OfficeTitle title={title} />
      <EmptyState title="Choose a franchise">This is about one office. Choose it at the top.</EmptyState>
    </div>
  );
}
