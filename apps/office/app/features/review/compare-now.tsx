import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';

/** **Compare now**: its results appear under **Differences**, with the time of the comparison. */
export function CompareNow() {
  const act = useAct();
  return (
    <ActForm label="Compare now" act={() => act(OFFICE_ENDPOINTS.reconcile, { body: {}, once: 'reconcile' })}>
      {({ isPending }) => (
        <SubmitButton className="btn btn-primary" isPending={isPending}>
          Compare now
        </SubmitButton>
      )}
    </ActForm>
  );
}
