import { replace } from 'react-router';

/** `/office/` leads to what everybody has. */
export function clientLoader() {
  throw replace('/settings/account');
}

export default function Start() {
  return null;
}
