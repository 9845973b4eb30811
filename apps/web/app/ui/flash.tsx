import { useFlash } from '../lib/flash.ts';
import { Alert } from './alert.tsx';

/** The success message that the page before left for this one. */
export function Flash() {
  const text = useFlash();
  return text && <Alert tone="success">{text}</Alert>;
}
