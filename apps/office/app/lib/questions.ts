import { useSyncExternalStore } from 'react';

/** An act as a second factor confirms it: the exact request, byte for byte. */
export type Act = { method: string; path: string; body: string };

/**
 * What a call has to ask the person before it can continue. A `null` answer means that they gave up.
 * The dialogs open over the screen, so nothing typed is lost.
 */
export type Question = StillThere | SignInAgain | StepUp;
export type StillThere = { id: number; kind: 'still-there'; answer: (isBack: true | null) => void };
export type SignInAgain = { id: number; kind: 'sign-in-again'; answer: (isBack: true | null) => void };
export type StepUp = {
  id: number;
  kind: 'step-up';
  act: Act;
  words: string;
  answer: (token: string | null) => void;
};

let asked: Question[] = [];
let asks = 0;
const listeners = new Set<() => void>();

function change(questions: Question[]): void {
  asked = questions;
  for (const listener of listeners) listener();
}

/** Concurrent calls share these questions. */
const shared: Partial<Record<'still-there' | 'sign-in-again', Promise<true | null>>> = {};

/** After 30 idle minutes. */
export const askStillThere = () => askTogether('still-there');

/** The session is over, and typed text would be lost with the screen. */
export const askSignInAgain = () => askTogether('sign-in-again');

function askTogether(kind: 'still-there' | 'sign-in-again'): Promise<true | null> {
  shared[kind] ??= ask<true | null>((id, answer) => ({ id, kind, answer })).finally(() => {
    delete shared[kind];
  });
  return shared[kind];
}

export function askStepUp(act: Act, words: string): Promise<string | null> {
  return ask<string | null>((id, answer) => ({ id, kind: 'step-up', act, words, answer }));
}

function ask<Reply>(make: (id: number, answer: (reply: Reply) => void) => Question): Promise<Reply> {
  return new Promise((resolve) => {
    asks += 1;
    const question = make(asks, (reply) => {
      change(asked.filter((each) => each !== question));
      resolve(reply);
    });
    change([...asked, question]);
  });
}

/** The open questions; the last is on top. */
export const readQuestions = (): readonly Question[] => asked;

export function useQuestions(): readonly Question[] {
  return useSyncExternalStore(subscribe, readQuestions, () => NONE);
}

const NONE: Question[] = [];

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
