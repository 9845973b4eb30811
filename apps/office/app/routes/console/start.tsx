import { replace } from 'react-router';

/** `/office/` leads to the payments. */
export function clientLoader() {
  throw replace('/payments');
}

export default function Start() {
  return null;
}
