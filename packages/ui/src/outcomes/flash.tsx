import { Alert } from './alert.tsx';
import { useFlash } from './flash.ts';

/** The success message that the page before left for this one. */
export function Flash() {
  const text = useFlash();
  return text && <Alert tone="success">{text}</Alert>;
}
