import type { Waiting } from '@brightpane/contract/office/waiting';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useEffect, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';

/** How much waits behind each screen, reloaded with every screen and after every act; `null` until loaded. */
export function useWaiting(): Waiting | null {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const { pathname } = useLocation();
  const { state } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen asks.
  useEffect(() => {
    if (state !== 'idle') return;
    let isCurrent = true;
    void callOffice<Waiting>(OFFICE_ENDPOINTS.waiting, { isBackground: true }).then((answer) => {
      if (isCurrent && answer.ok) setWaiting(answer.data);
    });
    return () => {
      isCurrent = false;
    };
  }, [pathname, state]);
  return waiting;
}
