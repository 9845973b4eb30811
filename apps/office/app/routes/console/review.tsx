import type { RefundList } from '@brightpane/contract/office/refunds';
import type { Difference, Differences } from '@brightpane/contract/office/review';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FoundPayment, ReviewedCharge } from '@brightpane/contract/review';
import { ReviewScreen } from '../../features/review/review-screen.tsx';
import { callOffice } from '../../lib/api-client.ts';
import { loadData } from '../../lib/load-data.ts';
import { type ListLoad, listQuery } from '../../ui/list/load-list.ts';
import type { Route } from './+types/review.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // Review covers all franchises, so the calls leave out the franchise selected at the top.
  const { franchiseId: _, ...query } = listQuery(request.url, ['state', 'cursor']);
  const differences: ListLoad<Difference, Differences> = {
    search: new URLSearchParams(query).toString(),
    answer: callOffice<Differences>(OFFICE_ENDPOINTS.differences, { query }),
  };
  const [charges, found, held] = await Promise.all([
    loadData<ReviewedCharge[]>(OFFICE_ENDPOINTS.review),
    loadData<FoundPayment[]>(OFFICE_ENDPOINTS.foundPayments),
    loadData<RefundList>(OFFICE_ENDPOINTS.refunds, { query: { state: 'held', order: 'oldest' } }),
  ]);
  return { charges, found, held, differences };
}

export default function ReviewPage({ loaderData }: Route.ComponentProps) {
  return <ReviewScreen {...loaderData} />;
}
