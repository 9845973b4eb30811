import { replace } from 'react-router';

/** `/office/settings` redirects to the one page that everybody has. */
export function clientLoader() {
  throw replace('/settings/account');
}

export default function Start() {
  return null;
}
