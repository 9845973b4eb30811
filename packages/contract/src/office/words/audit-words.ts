/** Acts whose name alone misleads or says too little; those on a refund in the words of the refund's page. */
const ACT_WORDS: Record<string, string> = {
  'refund: request': 'Refund requested',
  'refund: approve': 'Refund approved',
  'refund: withdraw': 'Refund withdrawn',
  'refund: expire': 'Refund withdrawn: not approved in time',
  'refund: drop': 'Refund withdrawn: not collected',
  'refund: send': 'Refund sent to the provider',
  'refund: store-answer': 'Refund answered by the provider',
  'refund: confirm': 'Refund made',
  'refund: adopt': 'Refund adopted from the provider',
  'refund: lose': 'Refund without an answer yet',
  'refund: not-executed': 'Refund to be sent again: nothing happened',
  'refund: batch-closed': 'Refund waits for settlement',
  'refund: refuse': 'Refund refused',
  'refund: rule-out': 'Refund not made',
  'refund: hold': 'Refund held for a decision',
  'refund: keep-asking': 'Outcome of the refund looked for again',
  'refund: undo': 'Refund undone',
  'refund: close': 'Refund closed with a note',
  'show-password': 'Right password entered',
  enrol: 'First factor added',
  'begin-app': 'App offered as a factor',
  resume: 'Session continued',
  'step-up': 'Second factor confirmed',
  'refuse-factor': 'Second factor refused',
};

/** An act as screens show it: `merchant-keys.changed` → `Merchant keys changed`. */
export function actWords(action: string): string {
  const words = ACT_WORDS[action] ?? action.replace(PUNCTUATION, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Separates the words of an act's name. A filter uses it in Postgres too, where it means the same. */
export const PUNCTUATION = /[._-]+/g;

/** The acts whose own words hold this text, for a filter; the words of all others follow from their names. */
export const actsNamed = (text: string): string[] =>
  Object.entries(ACT_WORDS).flatMap(([action, words]) =>
    words.toLowerCase().includes(text.toLowerCase()) ? [action] : [],
  );
