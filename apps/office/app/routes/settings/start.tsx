import { replace } from 'react-router';

/** `/office/settings` leads to what everybody has there. */
export function clientLoader() {
  throw replace('/settings/account');
}

export default function Start() {
  return null;
}
