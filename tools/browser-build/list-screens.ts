import type { RouteConfigEntry } from '@react-router/dev/routes';

/** The path of every screen, as the server's router writes it. The server answers all other paths with a 404. */
export function listScreens(routes: RouteConfigEntry[], base = ''): string[] {
  return routes.flatMap((entry) => screensOf(entry, base));
}

function screensOf({ path, index, children = [] }: RouteConfigEntry, parent: string): string[] {
  const full = path === undefined ? parent : `${parent}/${path}`;
  const isScreen = index === true || (path !== undefined && path !== '*' && children.length === 0);
  // Fastify writes these in another way, and no screen needs them.
  if (isScreen && /[?*]/.test(full)) throw new Error(`${full}: a screen's path has neither ? nor *`);
  return [...(isScreen ? [full || '/'] : []), ...children.flatMap((child) => screensOf(child, full))];
}
