import { listScreens as listScreensOf } from '../../tools/browser-build/list-screens.ts';
import routes from './app/routes.ts';

/** The path of every screen of the payer's app. */
export function listScreens(): string[] {
  return listScreensOf(routes);
}
