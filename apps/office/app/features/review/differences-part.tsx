import type { Difference, Differences } from '@brightpane/contract/office/review';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { byWords } from '../../ui/facts/by-words.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { OwnTime } from '../../ui/facts/own-time.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import { ListBody } from '../../ui/list/list-body.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { firstPage } from '../../ui/list/list-place.ts';
import type { ListState } from '../../ui/list/use-list.ts';
import { AcknowledgeDifference } from './acknowledge-difference.tsx';
import { asWords } from './review-words.ts';

const COLUMNS: ListColumn<Difference>[] = [
  { head: 'Kind', isName: true, isWide: true, cell: ({ kind }) => asWords(kind) },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  { head: 'Account', isWide: true, cell: ({ franchiseName }) => franchiseName ?? "The portal's" },
  { head: 'Order id', isWide: true, cell: ({ orderId }) => orderId || 'None' },
  { head: 'Reference', cell: ({ reference }) => reference || 'None' },
  { head: 'First seen', cell: ({ firstSeenAt }) => <OwnTime at={firstSeenAt} /> },
  { head: 'Last seen', cell: ({ lastSeenAt }) => <OwnTime at={lastSeenAt} /> },
];

/** **Differences** between the provider's books and ours: the open ones, or the acknowledged ones. */
export function DifferencesPart({ list }: { list: ListState<Differences> }) {
  const id = useId();
  const [search] = useSearchParams();
  const isAcknowledged = search.get('state') === 'acknowledged';
  return (
    <section className="screen-part" aria-labelledby={id}>
      <div className="screen-head">
        <h2 id={id}>Differences</h2>
        <OfficeLink className="btn btn-outline" to={`?${otherState(search)}`}>
          {isAcknowledged ? 'Show open' : 'Show acknowledged'}
        </OfficeLink>
      </div>
      <ListBody
        list={list}
        empty={
          <p className="quiet">
            {isAcknowledged ? 'No difference was acknowledged yet.' : 'No differences.'}
          </p>
        }
        caption="Differences"
        columns={COLUMNS}
        rowKey={({ differenceId }) => String(differenceId)}
        rowDetails={(difference) => <WhatCameOfIt difference={difference} />}
      />
    </section>
  );
}

function WhatCameOfIt({ difference }: { difference: Difference }) {
  const { acknowledgedBy, acknowledgedAt, note } = difference;
  if (acknowledgedAt === null) return <AcknowledgeDifference difference={difference} />;
  return (
    <p className="quiet">
      {acknowledgedBy && `Acknowledged by ${byWords(acknowledgedBy)}, `}
      <OwnTime at={acknowledgedAt} />: {note}
    </p>
  );
}

/** Starts at the first page. */
function otherState(search: URLSearchParams): URLSearchParams {
  const to = firstPage(search);
  if (search.get('state') === 'acknowledged') to.delete('state');
  else to.set('state', 'acknowledged');
  return to;
}
