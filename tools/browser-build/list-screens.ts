import type { RouteConfigEntry } from '@react-router/dev/routes';

/** The path of every screen, in the syntax of the server's router. The server answers any other path with a 404. */
export function listScreens(routes: RouteConfigEntry[], base = ''): string[] {
  return routes.flatMap((entry) => screensOf(entry, base));
}

function screensOf({ path, index, children = [] }: RouteConfigEntry, parent: string): string[] {
  const full = path === undefined ? parent : `${parent}/${path}`;
  const isScreen = index === true || (path !== undefined && path !== '*' && children.length === 0);
  // Fastify writes these differently, and no screen needs them.
  if (isScreen && /[?*]/.test(full)) throw new Error(`${full}: a screen's path has neither ? nor *`);
  return [...(isScreen ? [full || '/'] : []), ...children.flatMap((child) => screensOf(child, full))];
}
