import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FoundPayment } from '@brightpane/contract/review';
import { formText } from '@brightpane/ui/forms/form-text';
import { useId } from 'react';
import { seenVersion } from '../../lib/seen-version.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { SeenVersion } from '../../ui/act/seen-version.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { Dollars, usd } from '../../ui/fields/dollars.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { asWords } from './review-words.ts';
import { WorkOrders } from './work-orders.tsx';

const COLUMNS: ListColumn<FoundPayment>[] = [
  { head: 'State', cell: ({ state }) => asWords(state) },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  {
    head: 'Work orders',
    isWide: true,
    cell: ({ workOrders, isUnnamed, franchiseName }) => (
      <>
        <WorkOrders workOrders={workOrders} saysOffice={franchiseName !== null} />
        {isUnnamed && ' Not all could be read: nobody can pay until this is acknowledged.'}
      </>
    ),
  },
  { head: 'Account', isWide: true, cell: ({ franchiseName }) => franchiseName ?? "The portal's" },
  { head: 'Order id', isName: true, isWide: true, cell: ({ orderId }) => orderId },
  { head: 'Reference', cell: ({ reference }) => reference },
];

/** **Found payments**: the provider has them, but our books lost them in a restore from a backup. */
export function FoundPaymentsPart({ found }: { found: FoundPayment[] }) {
  const id = useId();
  return (
    <section className="screen-part" aria-labelledby={id}>
      <h2 id={id}>Found payments</h2>
      {found.length === 0 ? (
        <p className="quiet">Our books have every payment that was compared.</p>
      ) : (
        <ListRows
          caption="Found payments"
          columns={COLUMNS}
          rows={found}
          rowKey={({ orderId, reference }) => `${orderId} ${reference}`}
          rowDetails={(payment) => <Acknowledge payment={payment} />}
        />
      )}
    </section>
  );
}

function Acknowledge({ payment: { orderId, reference, amount, state, version } }: { payment: FoundPayment }) {
  const act = useAct();
  return (
    <div className="entry-actions">
      <ActDialog
        button="Acknowledge"
        buttonLabel={`Acknowledge: order ${orderId}, reference ${reference}`}
        title={`Acknowledge ${usd(amount)}`}
        submit="Acknowledge"
        done="The found payment is acknowledged."
        act={(form) =>
          act(OFFICE_ENDPOINTS.acknowledgeFoundPayment, {
            params: { orderId },
            headers: seenVersion(formText(form, 'version')),
            body: {},
            once: `found ${orderId} ${reference}`,
          })
        }
      >
        <SeenVersion version={version} />
        {state === 'unread' && (
          <p>
            The provider refuses the keys that this account had. So look in its own console at everything that
            was paid there since the backup.
          </p>
        )}
        <p>
          First book the payment as paid elsewhere, or void or refund it at the provider. Its work orders can
          be paid again from now on. Nothing is asked of the provider, and no money is collected.
        </p>
      </ActDialog>
    </div>
  );
}
