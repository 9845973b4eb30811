import type { PaymentLine, PaymentShare } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { usd } from '../../ui/fields/dollars.tsx';

/** **Looked at** marks the credit as seen. It changes nothing else. */
export function LookAtCredit({
  share,
  line,
  workOrder,
}: {
  share: PaymentShare;
  line: PaymentLine;
  /** What the screen calls the line's work order. */
  workOrder: string;
}) {
  const act = useAct();
  const { franchiseId, chargeId } = share;
  const { workOrderNumber } = line;
  return (
    <ActDialog
      button="Looked at"
      buttonLabel={`Looked at the credit on work order ${workOrder}`}
      title="Credit looked at"
      submit="Looked at"
      done="The credit is marked as seen."
      act={(form) => {
        const note = formText(form, 'note').trim();
        return act(OFFICE_ENDPOINTS.lookAtCredit, {
          params: { franchiseId, chargeId, workOrderNumber },
          body: note === '' ? {} : { note },
          once: `credit ${franchiseId} ${chargeId} ${workOrderNumber}`,
        });
      }}
    >
      {({ errors }) => (
        <>
          <p>
            The payer took {usd(-line.services)} off work order {workOrder}. This marks it as seen and changes
            nothing else.
          </p>
          <FormField label="Note" name="note" optional errors={errors.note} />
        </>
      )}
    </ActDialog>
  );
}
