import { isTestimony, type ReviewDecision } from '@brightpane/contract/office/review-decisions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { ReviewAnswer, ReviewedCharge } from '@brightpane/contract/review';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { usd } from '../../ui/fields/dollars.tsx';
import { DECISIONS, DECISIONS_OF, decidedWords } from './review-words.ts';

/** The decisions a person may take on a charge, below its row. */
export function ChargeActions({ charge }: { charge: ReviewedCharge }) {
  const decisions = DECISIONS_OF[charge.state] ?? [];
  if (decisions.length === 0) return null;
  return (
    <div className="entry-actions">
      {decisions.map((decision) => (
        <Decide key={decision} decision={decision} charge={charge} />
      ))}
    </div>
  );
}

function Decide({ decision, charge }: { decision: ReviewDecision; charge: ReviewedCharge }) {
  const act = useAct();
  const { chargeId, orderId, amount } = charge;
  const { button, asks } = DECISIONS[decision];
  return (
    <ActDialog
      button={button}
      buttonLabel={`${button}: order ${orderId}`}
      title={`${button}: ${usd(amount)}`}
      submit={button}
      done={null}
      isDanger={decision === 'reverse' || decision === 'nothing-taken'}
      act={(form) => {
        const note = formText(form, 'note').trim();
        return act<ReviewAnswer>(
          OFFICE_ENDPOINTS.decideCharge,
          {
            params: { chargeId },
            body: note === '' ? { decision } : { decision, note },
            once: `review ${decision} ${chargeId}`,
          },
          ({ state }) => decidedWords(state),
        );
      }}
    >
      {({ errors }) => (
        <>
          <p>{asks}</p>
          <p>This never collects money.</p>
          <FormField label="Note" name="note" optional={!isTestimony(decision)} errors={errors.note} />
        </>
      )}
    </ActDialog>
  );
}
