import type { ShouldRevalidateFunctionArgs } from 'react-router';

/**
 * For a screen's `shouldRevalidate`: whether an action ended whose own screen was left meanwhile. What it changed shows
 * here only if this screen loads again, whatever the action's result says about its own.
 */
export function isOfLeftScreen({
  formAction,
  nextUrl,
}: Pick<ShouldRevalidateFunctionArgs, 'formAction' | 'nextUrl'>): boolean {
  return formAction !== undefined && new URL(formAction, nextUrl).pathname !== nextUrl.pathname;
}
