import { type ClientLoaderFunctionArgs, replace } from 'react-router';

/** `/office/settings` redirects to the one page that everybody has. */
export function clientLoader({ request }: ClientLoaderFunctionArgs) {
  throw replace(`/settings/account${new URL(request.url).search}`);
}

export default function Start() {
  return null;
}
