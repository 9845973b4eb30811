import type { Refund, RefundPage, RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { formText } from '@brightpane/ui/forms/form-text';
import { useNavigate } from 'react-router';
import { useRight } from '../../lib/me/use-me.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { byWords } from '../../ui/facts/by-words.ts';
import { usd } from '../../ui/fields/dollars.tsx';
import { Decide } from './decide.tsx';
import { NoteField } from './note-field.tsx';
import { useRefundAct } from './use-refund-act.ts';

const CAME_TO_NOTHING = ['refused', 'not-made'];

/** What the person may do about a refund, by its state and their rights. The server checks each act itself. */
export function RefundActs({ refund }: { refund: RefundPage }) {
  const mayRefund = useRight('refund');
  const mayApprove = useRight('approve');
  const mayDecide = useRight('review');
  const { state, isOwn, isSent, isClosed, safeToSendAgain, undoneAt } = refund;
  const mayEnd = mayApprove || (isOwn && mayRefund);
  const isUnsent = state === 'requested' || state === 'waiting' || (state === 'held' && !isSent);
  const cameToNothing = CAME_TO_NOTHING.includes(state) && !isClosed && safeToSendAgain;
  const sendAgain = cameToNothing && mayRefund && <SendAgain key="again" refund={refund} />;
  const close = cameToNothing && mayEnd && <Close key="close" refund={refund} />;
  const acts = [
    state === 'requested' && mayApprove && !isOwn && <Approve key="approve" refund={refund} />,
    state === 'requested' && isOwn && (
      <span key="own" className="quiet">
        Somebody else has to approve this refund.
      </span>
    ),
    state === 'held' && mayDecide && isSent && <Decide key="not" refund={refund} decision="not-made" />,
    state === 'held' && mayDecide && <Decide key="keep" refund={refund} decision="keep-asking" />,
    state === 'made' && undoneAt === null && mayDecide && (
      <Decide key="undo" refund={refund} decision="not-made" />
    ),
    isUnsent && mayEnd && <Withdraw key="withdraw" refund={refund} />,
    ...(state === 'refused' ? [close, sendAgain] : [sendAgain, close]),
  ].filter((act) => act !== false);
  return acts.length === 0 ? null : <div className="screen-actions foot-bar">{acts}</div>;
}

/** One approval sends every refund of the request that waits for it, so this is what is shown and confirmed. */
function Approve({ refund }: { refund: RefundPage }) {
  const act = useRefundAct();
  const { refundId, requestedBy, requested } = refund;
  const waiting = requested?.refunds.filter(({ state }) => state === 'requested') ?? [];
  const amount = usd(requested?.toApprove ?? refund.amount);
  const what =
    waiting.length > 1 ? `${waiting.length} refunds, ${amount} in all,` : `the refund of ${amount}`;
  return (
    <ActDialog
      button="Approve"
      className="btn btn-primary"
      title={waiting.length > 1 ? `Approve ${amount} in ${waiting.length} refunds` : `Approve ${amount}`}
      submit="Approve"
      done={
        waiting.length > 1
          ? 'Approved. Each refund is sent as soon as it can be.'
          : 'Approved. It is sent as soon as it can be.'
      }
      act={() =>
        act(OFFICE_ENDPOINTS.approveRefund, {
          params: { refundId },
          body: {},
          stepUp: `Approve ${what} that ${byWords(requestedBy)} asked for`,
        })
      }
    >
      <p>
        It covers everything that {byWords(requestedBy)} asked for at once. The provider’s list is read first;
        then each refund is sent.
      </p>
      <p>Each is sent once, and never again while its outcome is not known.</p>
    </ActDialog>
  );
}

function Withdraw({ refund: { refundId, amount, requested } }: { refund: RefundPage }) {
  const act = useRefundAct();
  return (
    <ActDialog
      button="Withdraw"
      title={`Withdraw ${usd(amount)}`}
      submit="Withdraw"
      done="Withdrawn. It is not sent."
      isDanger
      act={(form) =>
        act(OFFICE_ENDPOINTS.withdrawRefund, {
          params: { refundId },
          body: { note: formText(form, 'note').trim() },
        })
      }
    >
      {({ errors }) => (
        <>
          <p>Nothing was sent, and nothing is asked of the provider. The amount can be refunded again.</p>
          <p>It never goes back by itself after this.</p>
          {requested && requested.refunds.length > 1 && (
            <p>What was asked for together with it stays as it is.</p>
          )}
          <NoteField errors={errors.note} />
        </>
      )}
    </ActDialog>
  );
}

/** What was refused once is likely to be again, so the first thing to do is to pay it back another way. */
const firstIf = (isFirst: boolean) => (isFirst ? 'btn btn-primary' : 'btn btn-outline');

function SendAgain({ refund: { refundId, amount, state } }: { refund: Refund }) {
  const act = useRefundAct();
  const navigate = useNavigate();
  return (
    <ActDialog
      button="Send again"
      className={firstIf(state !== 'refused')}
      title={`Send ${usd(amount)} again`}
      submit="Send again"
      done="A new refund is requested. Its page shows where it stands."
      act={() =>
        act<RefundRequestAnswer>(
          OFFICE_ENDPOINTS.sendRefundAgain,
          {
            params: { refundId },
            body: {},
            once: `refund again ${refundId}`,
            stepUp: `Send a refund of ${usd(amount)} again`,
          },
          ({ refunds: [next] }) => next && void navigate(`/refunds/${next.refundId}`),
        )
      }
    >
      <p>
        It is a new request under your limits. The provider’s list is read first: if this refund shows there
        after all, the new one is held for a decision.
      </p>
      <p>It is never sent while the provider shows a refund that nobody has claimed.</p>
    </ActDialog>
  );
}

function Close({ refund: { refundId, amount, state } }: { refund: Refund }) {
  const act = useRefundAct();
  return (
    <ActDialog
      button="Close with a note"
      className={firstIf(state === 'refused')}
      title={`Close ${usd(amount)}`}
      submit="Close"
      done="Closed. This returned no money."
      act={(form) =>
        act(OFFICE_ENDPOINTS.withdrawRefund, {
          params: { refundId },
          body: { note: formText(form, 'note').trim() },
        })
      }
    >
      {({ errors }) => (
        <>
          <p>
            Close it if the money was returned another way, or need not be. Nothing is asked of the provider.
          </p>
          <p>Closing returns no money.</p>
          <NoteField errors={errors.note} />
        </>
      )}
    </ActDialog>
  );
}
