import type { RefundPage, RefundPersonDecision } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { formText } from '@brightpane/ui/forms/form-text';
import { seenVersion } from '../../lib/seen-version.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { SeenVersion } from '../../ui/act/seen-version.tsx';
import { usd } from '../../ui/fields/dollars.tsx';
import { NoteField } from './note-field.tsx';
import { useRefundAct } from './use-refund-act.ts';

type Said = { button: string; asks: string; never: string; done: string };

const DECISIONS: Record<RefundPersonDecision, Said> = {
  adopt: {
    button: 'Adopt this transaction',
    asks: 'We ask the provider for this transaction first. If it gave back exactly this amount of this payment and belongs to no other refund, our books take it as this refund.',
    never: 'Nothing is sent to the provider.',
    done: 'Our books have taken the transaction as this refund.',
  },
  'not-made': {
    button: 'It was not made',
    asks: 'We read the provider’s records first. If they show no refund that nobody has claimed, this one ends as not made and can be sent again. If they do not prove it, nothing changes.',
    never: 'Nothing is sent to the provider.',
    done: 'The refund ended as not made.',
  },
  'keep-asking': {
    button: 'Keep asking',
    asks: 'What this page shows of the provider counts as known. If this refund was not sent, it continues. If it was, we look for its outcome for another day.',
    never: 'If it was sent, it is never sent a second time.',
    done: 'What the page showed counts as known. If it was not sent, it continues; if it was, we keep asking.',
  },
};

const UNDO: Said = {
  button: 'It was taken back',
  asks: 'We ask the provider once more. If its record shows that this refund was taken back, our books take it back too, and the payer is told. If not, nothing changes.',
  never: 'Nothing is sent to the provider.',
  done: 'Our books have taken it back.',
};

/** A person's decision on a refund, confirmed with a second factor. */
export function Decide({
  refund,
  decision,
  candidate,
}: {
  refund: Pick<RefundPage, 'refundId' | 'amount' | 'state' | 'version'>;
  decision: RefundPersonDecision;
  /** The provider's refund to adopt. */
  candidate?: { transactionKey: string; words: string };
}) {
  const act = useRefundAct();
  const { refundId, amount, state, version } = refund;
  const { button, asks, never, done } = state === 'made' ? UNDO : DECISIONS[decision];
  return (
    <ActDialog
      button={button}
      {...(candidate && { buttonLabel: `${button}: ${candidate.words}` })}
      title={`${button}: ${usd(amount)}`}
      submit={button}
      done={done}
      act={(form) =>
        act(OFFICE_ENDPOINTS.decideRefund, {
          params: { refundId },
          headers: seenVersion(formText(form, 'version')),
          body: {
            decision,
            ...(candidate && { transactionKey: candidate.transactionKey }),
            note: formText(form, 'note').trim(),
          },
          stepUp: `Decide about a refund of ${usd(amount)}: ${button}`,
        })
      }
    >
      {({ errors }) => (
        <>
          {decision === 'keep-asking' && <SeenVersion version={version} />}
          <p>{asks}</p>
          <p>{never}</p>
          <NoteField errors={errors.note} />
        </>
      )}
    </ActDialog>
  );
}
