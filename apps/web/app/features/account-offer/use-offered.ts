import type { Offer } from '@brightpane/contract/customers/offers';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { useEffect, useState } from 'react';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';

/** What a token offers: `undefined` while loading, `null` if there is no offer or it has expired. */
export function useOffered(token: string | undefined): Offer | null | undefined {
  const [found, setFound] = useState<{ token: string; offer: Offer | null } | null>(null);
  useEffect(() => {
    if (token === undefined) return;
    let isShown = true;
    void look(token).then((offer) => isShown && setFound({ token, offer }));
    return () => {
      isShown = false;
    };
  }, [token]);
  if (token === undefined) return null;
  return found?.token === token ? found.offer : undefined;
}

async function look(token: string): Promise<Offer | null> {
  const answer = await callApi<Offer>('lookAtOffer', { body: { token } });
  if (answer.ok) return answer.data;
  if (!isExpected(answer.problem)) reportError('lookAtOffer', answer.problem);
  return null;
}
