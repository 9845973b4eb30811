import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A route in an app's build: a screen or a layout around screens. */
export type BuiltRoute = {
  id: string;
  parentId?: string;
  path?: string;
  module: string;
  imports?: string[];
  css?: string[];
};

/** The build's own list of its routes. */
export function readRoutes(buildFolder: string): BuiltRoute[] {
  const [file = ''] = globSync('assets/manifest-*.js', { cwd: buildFolder });
  const [, json = ''] = /=(\{.*\})/s.exec(readFileSync(join(buildFolder, file), 'utf8')) ?? [];
  return Object.values<BuiltRoute>(JSON.parse(json).routes);
}

/** The routes without children: the pages. */
export const screensOf = (routes: BuiltRoute[]): BuiltRoute[] =>
  routes.filter((route) => !routes.some(({ parentId }) => parentId === route.id));

/** A route and its parents, outermost first. */
function chainOf(routes: BuiltRoute[], route: BuiltRoute): BuiltRoute[] {
  const parent = routes.find(({ id }) => id === route.parentId);
  return [...(parent ? chainOf(routes, parent) : []), route];
}

export function pathOf(routes: BuiltRoute[], route: BuiltRoute): string {
  const parts = chainOf(routes, route).flatMap(({ path }) => (path ? [path] : []));
  return `/${parts.join('/')}`;
}

/** The files of a screen and of its parent routes. */
export const assetsOf = (routes: BuiltRoute[], route: BuiltRoute): string[] =>
  chainOf(routes, route)
    .flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css])
    .map((address) => address.slice(address.lastIndexOf('/') + 1));
