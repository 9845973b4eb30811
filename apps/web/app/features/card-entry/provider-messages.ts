/** An error of one of the frame's fields; an empty message clears the previous one. */
export type CardError = { field: string; message: string };

export type CardKey = { paymentKey: string; cardType: string; maskedCard: string };

/** Parses an error event: version 2 of the provider's script sends JSON, version 1 plain text. */
export function readCardError(payload: unknown): CardError {
  const value = typeof payload === 'string' ? parseJson(payload) : payload;
  if (!isObject(value)) return { field: 'card', message: String(payload ?? '') };
  const { type, message } = value;
  return {
    field: typeof type === 'string' ? type : 'card',
    message: typeof message === 'string' ? message : '',
  };
}

/** Parses the answer to a key request: a bare key, an object with a key, or an object with an error. */
export function readCardKey(result: unknown): CardKey | CardError {
  if (typeof result === 'string' && result !== '') {
    return { paymentKey: result, cardType: '', maskedCard: '' };
  }
  const { key, creditcard, error } = isObject(result) ? result : {};
  if (typeof key === 'string' && key !== '') {
    const { number, cardtype } = isObject(creditcard) ? creditcard : {};
    return {
      paymentKey: key,
      cardType: typeof cardtype === 'string' ? cardtype : '',
      maskedCard: typeof number === 'string' ? number : '',
    };
  }
  return readCardError(error ?? result);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
