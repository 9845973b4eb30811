import type { PaymentList, PaymentRow, PaymentSummary } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useEffect, useState } from 'react';
import { callOffice } from '../../lib/api-client.ts';
import { usd } from '../../ui/fields/dollars.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';

type Load = ListLoad<PaymentRow, PaymentList>;

/** **Totals** of the filtered payments, requested after the rows. If they fail to load, the list still works. */
export function PaymentTotals({ load: { search, answer } }: { load: Load }) {
  const [summed, setSummed] = useState<{ search: string; words: string }>();
  useEffect(() => {
    let isCurrent = true;
    const query = Object.fromEntries(new URLSearchParams(search));
    const { cursor: _, order: __, ...filters } = query;
    void answer.then(async (page) => {
      if (!page.ok || !isCurrent) return;
      const sums = await callOffice<PaymentSummary>(OFFICE_ENDPOINTS.paymentSummary, { query: filters });
      if (isCurrent) setSummed({ search, words: sums.ok ? totalWords(sums.data) : '' });
    });
    return () => {
      isCurrent = false;
    };
  }, [search, answer]);
  return (
    <p className="list-status" role="status" aria-label="Totals">
      {summed?.search === search ? summed.words : ''}
    </p>
  );
}

/** `37 payments · $4,210.50 in · −$120.00 back · $4,090.50 net · $312.00 of it tips` */
export function totalWords({ count, isMore, ...sums }: PaymentSummary): string {
  if (isMore) return 'more than 10,000 payments';
  if (count === null) return '';
  const words = [
    count === 1 ? '1 payment' : `${count.toLocaleString('en-US')} payments`,
    `${usd(sums.in ?? 0)} in`,
    `${usd(-(sums.back ?? 0))} back`,
    `${usd(sums.net ?? 0)} net`,
    `${usd(sums.tips ?? 0)} of it tips`,
  ];
  return words.join(' · ');
}
