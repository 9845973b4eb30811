import { cardSentence, UNREADABLE_CARD } from './card-messages.ts';
import { type CardError, type CardKey, readCardKey } from './provider-messages.ts';

export type TokenizedCard =
  | ({ ok: true } & CardKey)
  /** The message is a sentence of ours. */
  | { ok: false; reason: 'card-error'; message: string }
  | { ok: false; reason: 'no-answer' };

export type TokenRequest = {
  /** Asks the provider for a key. Its promise may stay open for ever when the card is refused. */
  requestKey: () => Promise<unknown>;
  /** Calls back for each error that the frame sends, until the function it returns is called. */
  onCardError: (listener: (error: CardError) => void) => () => void;
  longestWaitMs: number;
};

/**
 * One attempt to turn the card into a key. It ends with whichever comes first: the key, an error event of the frame,
 * or the time-out; whatever comes later belongs to no attempt and is dropped.
 */
export function tokenizeCard({
  requestKey,
  onCardError,
  longestWaitMs,
}: TokenRequest): Promise<TokenizedCard> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end({ ok: false, reason: 'no-answer' }), longestWaitMs);
    const stopListening = onCardError((error) => {
      if (error.message !== '') end(outcomeOf(error));
    });
    requestKey().then(
      (result) => end(outcomeOf(readCardKey(result))),
      (error) => end(outcomeOf(readCardKey({ error }))),
    );

    function end(outcome: TokenizedCard) {
      clearTimeout(timer);
      stopListening();
      resolve(outcome);
    }
  });
}

function outcomeOf(result: CardKey | CardError): TokenizedCard {
  if ('paymentKey' in result) return { ok: true, ...result };
  return { ok: false, reason: 'card-error', message: cardSentence(result) || UNREADABLE_CARD };
}
