import { useEffect, useState } from 'react';

/** After so long people begin to wonder. */
const LONG_MILLISECONDS = 8000;

/** Whether something has taken longer than this. */
export function useIsLong(isGoingOn: boolean, milliseconds = LONG_MILLISECONDS): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsLong(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isGoingOn, milliseconds]);
  return isLong;
}
