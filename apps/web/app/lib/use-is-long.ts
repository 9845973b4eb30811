import { useEffect, useState } from 'react';

const LONG_MS = 8000;

/** Whether something has taken so long that people begin to wonder. */
export function useIsLong(isGoingOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isGoingOn]);
  return isLong;
}
