import { listScreens } from '../../tools/browser-build/list-screens.ts';
import routes from './app/routes.ts';

/** The path of every screen of the console, below `/office`. */
export function listOfficeScreens(): string[] {
  return listScreens(routes, '/office');
}
