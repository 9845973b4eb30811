/** The console's own part of the address. Routes are named without it. */
const BASE = '/office';

/**
 * Where signing in leads: what `next` names, as the router writes it, or the start screen. Only a path of the console
 * counts, written plainly: no second slash, no backslash, nothing encoded that could become one, no way up.
 */
export function nextPath(next: string | null): string {
  if (next === null || !next.startsWith(`${BASE}/`)) return '/';
  const [path = ''] = next.split(/[?#]/);
  const isPlain = !/\/\/|\\|%|\/\.\.?(?:\/|$)/.test(path) && !hasControl(next) && !next.includes('\\');
  return isPlain ? next.slice(BASE.length) : '/';
}

function hasControl(text: string): boolean {
  return [...text].some((letter) => letter < ' ' || letter === '\u007f');
}

/** The address of the sign-in that leads back to where one is. */
export function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `${BASE}/sign-in?${new URLSearchParams({ next: pathname + search })}`;
}
