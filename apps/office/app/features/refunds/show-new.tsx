import type { RefundList } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { countNew } from './count-new.ts';

const EVERY_MILLISECONDS = 15_000;

/**
 * **Show 3 new**: polls for refunds that the list doesn't show yet while the screen is visible, since rows never move by
 * themselves. Only the first page can have new ones.
 */
export function ShowNew({ search, page }: { search: string; page: RefundList }) {
  const { revalidate } = useRevalidator();
  const [latest, setLatest] = useState<string[]>([]);
  const isFirst = !new URLSearchParams(search).has('cursor');
  useEffect(() => {
    if (!isFirst) return;
    const ask = async () => {
      if (document.hidden) return;
      const query = Object.fromEntries(new URLSearchParams(search));
      const answer = await callOffice<RefundList>(OFFICE_ENDPOINTS.refunds, { query, isBackground: true });
      if (answer.ok) setLatest(answer.data.items.map(({ refundId }) => refundId));
    };
    const timer = setInterval(() => void ask(), EVERY_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isFirst, search]);
  const count = countNew(latest, page);
  return (
    <p role="status" className="show-new">
      {count > 0 && (
        <button type="button" className="btn btn-outline" onClick={() => void revalidate()}>
          {`Show ${count} new`}
        </button>
      )}
    </p>
  );
}
