import type { Offer } from '@brightpane/contract/customers/offers';
import type { Answer, RefusedCall } from '@brightpane/ui/forms/ask-server';
import { useEffect, useState } from 'react';
import { readData } from '../../lib/read-data.ts';
import { isOver } from './offer-messages.ts';

/** What a payment's token offers. `unknown`: it could not be asked, so it may still be good. */
export type Offered =
  | { kind: 'none' | 'asking' | 'over' }
  | { kind: 'found'; offer: Offer }
  | { kind: 'unknown'; problem: RefusedCall; isAskingAgain: boolean; askAgain: () => void };

export function useOffered(token: string | undefined): Offered {
  const [turn, setTurn] = useState(0);
  const [last, setLast] = useState<{ token: string; turn: number; answer: Answer<Offer> } | null>(null);
  useEffect(() => {
    if (token === undefined) return;
    let isShown = true;
    void readData<Offer>('lookAtOffer', { body: { token } }).then(
      (answer) => isShown && setLast({ token, turn, answer }),
    );
    return () => {
      isShown = false;
    };
  }, [token, turn]);
  if (token === undefined) return { kind: 'none' };
  if (last?.token !== token) return { kind: 'asking' };
  return offered(last.answer, { isAskingAgain: last.turn !== turn, askAgain: () => setTurn(turn + 1) });
}

/** Only the server's word that it is over ends an offer. */
export function offered(
  answer: Answer<Offer>,
  again: { isAskingAgain: boolean; askAgain: () => void },
): Offered {
  if (answer.ok) return { kind: 'found', offer: answer.data };
  const { problem } = answer;
  return isOver(problem) ? { kind: 'over' } : { kind: 'unknown', problem, ...again };
}
