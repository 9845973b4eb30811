import type { RefundPage } from '@brightpane/contract/office/refunds';
import { useRight } from '../../lib/me/use-me.ts';
import { formatInstant } from '../../lib/times.ts';
import { Dollars, usd } from '../../ui/fields/dollars.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { Decide } from './decide.tsx';

type Candidate = NonNullable<RefundPage['candidates']>[number];

function kindOf({ isSale, isVoided }: Candidate): string {
  if (isSale) return isVoided ? 'Void of the payment' : 'The payment, if it was voided';
  return isVoided ? 'Refund that was voided' : 'Refund';
}

const COLUMNS: ListColumn<Candidate>[] = [
  { head: 'Transaction', isName: true, isWide: true, cell: ({ transactionKey }) => transactionKey },
  { head: 'Kind', cell: kindOf },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  // The provider sends no time zone, so its local time stays unconverted.
  { head: 'Made, by its clock', cell: ({ createdOn }) => createdOn && formatInstant(createdOn, 'UTC') },
  { head: 'Clerk', cell: ({ clerk }) => clerk },
];

/** **What the provider shows**: refunds of this payment that match none of ours. One of them may be this refund. */
export function Candidates({ refund }: { refund: RefundPage }) {
  const mayDecide = useRight('review');
  const candidates = refund.candidates ?? [];
  return (
    <section className="card panel" aria-labelledby="candidates">
      <h2 id="candidates">What the provider shows</h2>
      {candidates.length === 0 ? (
        <p className="quiet">No refund of this payment that nobody has claimed.</p>
      ) : (
        <ListRows
          caption="What the provider shows"
          columns={COLUMNS}
          rows={candidates}
          rowKey={({ transactionKey }) => transactionKey}
          rowDetails={(candidate) =>
            mayDecide &&
            (candidate.isSale || !candidate.isVoided) && (
              <div className="entry-actions">
                <Decide
                  refund={refund}
                  decision="adopt"
                  candidate={{
                    transactionKey: candidate.transactionKey,
                    words: `${usd(candidate.amount)}, ${candidate.transactionKey}`,
                  }}
                />
              </div>
            )
          }
        />
      )}
      {!mayDecide && <p className="quiet">Headquarters decides about it.</p>}
    </section>
  );
}
