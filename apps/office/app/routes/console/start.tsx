import { type ClientLoaderFunctionArgs, replace } from 'react-router';

/** `/office/` redirects to the payments. */
export function clientLoader({ request }: ClientLoaderFunctionArgs) {
  throw replace(`/payments${new URL(request.url).search}`);
}

export default function Start() {
  return null;
}
