import { Alert } from './alert.tsx';
import { useFlash } from './flash.ts';

/** The success message that the previous page left for this one. */
export function Flash() {
  const text = useFlash();
  return text && <Alert tone="success">{text}</Alert>;
}
