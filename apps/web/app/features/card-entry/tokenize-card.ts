import { cardSentence, UNREADABLE_CARD } from './card-messages.ts';
import { type CardError, type CardKey, readCardKey } from './provider-messages.ts';

export type TokenizedCard =
  | ({ ok: true } & CardKey)
  /** The message is one of our sentences. */
  | { ok: false; reason: 'card-error'; message: string }
  | { ok: false; reason: 'no-answer' };

export type TokenRequest = {
  /** Requests a key. If the card is refused, the provider's promise may never end. */
  requestKey: () => Promise<unknown>;
  /** Calls the listener for each error from the frame, until the returned function is called. */
  onCardError: (listener: (error: CardError) => void) => () => void;
  longestWaitMilliseconds: number;
};

/**
 * One attempt to turn the card into a key. The first of these ends it: the key, an error event or the timeout.
 * Anything later is dropped.
 */
export function tokenizeCard({
  requestKey,
  onCardError,
  longestWaitMilliseconds,
}: TokenRequest): Promise<TokenizedCard> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end({ ok: false, reason: 'no-answer' }), longestWaitMilliseconds);
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
