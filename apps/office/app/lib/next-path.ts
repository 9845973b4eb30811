/** The console's base path; routes are written without it. */
const BASE = '/office';

/**
 * Where signing in leads: `next` as a route, or the start screen. Accepts only plain paths of the console: no double
 * slash, no backslash, nothing encoded that could become one, no `..`.
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

/** The sign-in URL that leads back to this page. */
export function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `${BASE}/sign-in?${new URLSearchParams({ next: pathname + search })}`;
}
