import type { RefundList } from '@brightpane/contract/office/refunds';
import type { Difference, Differences } from '@brightpane/contract/office/review';
import type { FoundPayment, ReviewedCharge } from '@brightpane/contract/review';
import { useZone } from '../../lib/franchise-choice.ts';
import { timesWords } from '../../lib/times.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { useList } from '../../ui/list/use-list.ts';
import { ChargesPart } from './charges-part.tsx';
import { CompareNow } from './compare-now.tsx';
import { DifferencesPart } from './differences-part.tsx';
import { FoundPaymentsPart } from './found-payments-part.tsx';
import { HeldRefundsPart } from './held-refunds-part.tsx';
import { LastCompared } from './last-compared.tsx';

/** `/office/review`: what only a person can finish, and where the provider's books and ours differ. */
export function ReviewScreen({
  charges,
  found,
  held,
  differences,
}: {
  charges: ReviewedCharge[];
  found: FoundPayment[];
  held: RefundList;
  differences: ListLoad<Difference, Differences>;
}) {
  const list = useList<Difference, Differences>(differences);
  const zone = useZone();
  const hasCharges = charges.length > 0;
  return (
    <div className="screen">
      <div className="screen-head">
        <OfficeTitle title="Review" />
        {hasCharges && (
          <div className="screen-actions foot-bar">
            <CompareNow />
          </div>
        )}
      </div>
      <div>
        {list.page && <LastCompared comparison={list.page.lastComparison} />}
        {zone && <p className="list-status">{timesWords(zone)}</p>}
      </div>
      <ChargesPart charges={charges} />
      <FoundPaymentsPart found={found} />
      <HeldRefundsPart held={held} />
      <DifferencesPart list={list} />
    </div>
  );
}
