import { reportThrown } from '@brightpane/ui/reporting/telemetry';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { env } from '../../lib/env.ts';
import frameStyles from './card-frame.scss?inline';
import { cardSentence } from './card-messages.ts';
import { type CardEntry, loadProvider, type ProviderClient } from './load-provider.ts';
import { type CardError, readCardError } from './provider-messages.ts';
import { type TokenizedCard, tokenizeCard } from './tokenize-card.ts';

/** The state of the provider's frame: `closed` without a client key, `failed` if it didn't load. */
export type CardEntryState = 'closed' | 'loading' | 'ready' | 'failed';

export type CardEntryHandle = {
  state: CardEntryState;
  /** The card's current errors, one per field. */
  errors: string[];
  /** The last attempt, if it failed. */
  failure: object | null;
  containerId: string;
  tokenize: () => Promise<TokenizedCard>;
  reload: () => void;
};

/** The provider's script expects its frame on the script's own origin. */
const PROVIDER_ORIGIN = new URL(env.payJsUrl).origin;

const LONGEST_WAIT_FOR_FRAME_MILLISECONDS = 20_000;
const LONGEST_WAIT_FOR_KEY_MILLISECONDS = 20_000;
const NO_ANSWER = 'The card processor did not answer. Please enter your card again.';

/** The provider's card entry in a frame of its own origin: loads it, shows its errors and turns the card into a key. */
export function useCardEntry(publicKey: string | null): CardEntryHandle {
  const containerId = `card-${useId().replace(/\W/g, '')}`;
  const [round, setRound] = useState(0);
  const [state, setState] = useState<CardEntryState>(publicKey ? 'loading' : 'closed');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<object | null>(null);
  const live = useRef<{ client: ProviderClient; entry: CardEntry } | null>(null);
  const listeners = useRef(new Set<(error: CardError) => void>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round builds a new frame.
  useEffect(() => {
    if (publicKey === null) return setState('closed');
    let isOver = false;
    setState('loading');
    const fail = (error: unknown) => {
      if (isOver) return;
      reportThrown(error);
      setState('failed');
    };
    const timer = setTimeout(
      () => fail(new Error('The card frame did not load')),
      LONGEST_WAIT_FOR_FRAME_MILLISECONDS,
    );
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== frameIn(containerId)?.contentWindow || origin !== PROVIDER_ORIGIN) return;
      if (!String(data).startsWith('ready::')) return;
      clearTimeout(timer);
      setState('ready');
    };
    window.addEventListener('message', onMessage);
    loadProvider()
      .then(({ Client }) => {
        if (isOver) return;
        const client = new Client(publicKey);
        const entry = client.createPaymentCardEntry();
        entry.generateHTML({ styles: frameStyles, display_errors: false, display_labels: true });
        entry.addEventListener('error', (payload) => {
          if (isOver) return;
          const error = readCardError(payload);
          setErrors((before) => ({ ...before, [error.field]: cardSentence(error) }));
          for (const listener of [...listeners.current]) listener(error);
        });
        entry.addHTML(containerId);
        frameIn(containerId)?.setAttribute('title', 'Card details');
        live.current = { client, entry };
      })
      .catch(fail);
    return () => {
      isOver = true;
      live.current = null;
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      // Each round removes its frame.
      frameIn(containerId)?.remove();
    };
  }, [publicKey, containerId, round]);

  const reload = useCallback(() => {
    setErrors({});
    setRound((before) => before + 1);
  }, []);

  const tokenize = useCallback(async (): Promise<TokenizedCard> => {
    const { current } = live;
    if (current === null) return { ok: false, reason: 'no-answer' };
    setErrors({});
    const outcome = await tokenizeCard({
      requestKey: () => current.client.getPaymentKey(current.entry),
      onCardError: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
      longestWaitMilliseconds: LONGEST_WAIT_FOR_KEY_MILLISECONDS,
    });
    if (outcome.ok) return outcome;
    setFailure(outcome);
    if (outcome.reason === 'no-answer') {
      // A key still on its way would answer the next attempt. A new frame can't receive it.
      reload();
      setErrors({ card: NO_ANSWER });
    } else {
      // A rejected promise doesn't always come with an event.
      setErrors((before) => (hasMessage(before) ? before : { card: outcome.message }));
    }
    return outcome;
  }, [reload]);

  return {
    state,
    errors: [...new Set(Object.values(errors).filter(Boolean))],
    failure,
    containerId,
    tokenize,
    reload,
  };
}

const hasMessage = (errors: Record<string, string>) => Object.values(errors).some(Boolean);

function frameIn(containerId: string): HTMLIFrameElement | null {
  return document.getElementById(containerId)?.querySelector('iframe') ?? null;
}
