import { replace } from 'react-router';

/** `/office/` redirects to the payments. */
export function clientLoader() {
  throw replace('/payments');
}

export default function Start() {
  return null;
}
