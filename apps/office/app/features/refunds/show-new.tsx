import type { RefundList } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';

const EVERY_MS = 15_000;

/**
 * **Show 3 new**: polls for refunds newer than the list while the screen is visible, since rows never move by
 * themselves. Only the first page can have new ones.
 */
export function ShowNew({ search, page }: { search: string; page: RefundList }) {
  const { revalidate } = useRevalidator();
  const [newest, setNewest] = useState<string[]>([]);
  const isFirst = !new URLSearchParams(search).has('cursor');
  useEffect(() => {
    if (!isFirst) return;
    const ask = async () => {
      if (document.hidden) return;
      const query = Object.fromEntries(new URLSearchParams(search));
      const answer = await callOffice<RefundList>(OFFICE_ENDPOINTS.refunds, { query, isBackground: true });
      if (answer.ok) setNewest(answer.data.items.map(({ refundId }) => refundId));
    };
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => clearInterval(timer);
  }, [isFirst, search]);
  const known = new Set(page.items.map(({ refundId }) => refundId));
  // Rows below the first known one are older than the list.
  const seen = newest.findIndex((refundId) => known.has(refundId));
  const count = newest.slice(0, seen === -1 ? newest.length : seen).length;
  return (
    <p role="status" className="show-new">
      {count > 0 && (
        <button type="button" className="btn btn-outline" onClick={() => void revalidate()}>
          Show {count} new
        </button>
      )}
    </p>
  );
}
