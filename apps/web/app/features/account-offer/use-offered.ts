import type { Offer } from '@brightpane/contract/customers/offers';
import type { Answer, RefusedCall } from '@brightpane/ui/forms/ask-server';
import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { readData } from '../../lib/read-data.ts';
import { isOver } from './offer-messages.ts';

/** What a payment's token offers. `unknown`: it could not be asked, so it may still be good. */
export type Offered =
  | { kind: 'none' | 'asking' }
  | { kind: 'over'; isAskedAgain: boolean }
  | { kind: 'found'; offer: Offer; isAskedAgain: boolean }
  | ({ kind: 'unknown'; problem: RefusedCall } & AskingAgain);

type AskingAgain = { isAskingAgain: boolean; askAgain: () => void };

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
  return offered(last.answer, {
    isAskedAgain: last.turn > 0,
    isAskingAgain: last.turn !== turn,
    askAgain: () => setTurn(turn + 1),
  });
}

/** Only the server's word that it is over ends an offer. */
export function offered(
  answer: Answer<Offer>,
  { isAskedAgain, ...again }: AskingAgain & { isAskedAgain: boolean },
): Offered {
  if (answer.ok) return { kind: 'found', offer: answer.data, isAskedAgain };
  const { problem } = answer;
  return isOver(problem) ? { kind: 'over', isAskedAgain } : { kind: 'unknown', problem, ...again };
}

/** For the sentence that says what is offered: it takes the focus where it takes the place of **Try again**. */
export function useFocusInPlace(isAskedAgain: boolean): RefObject<HTMLParagraphElement | null> {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => (isAskedAgain ? focusSoon(() => sentence.current) : undefined), [isAskedAgain]);
  return sentence;
}
