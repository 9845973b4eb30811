import type { Me } from '@brightpane/contract/office/sessions';
import type { Right } from '@brightpane/contract/office-rights';
import { createContext, useContext } from 'react';

export const MeContext = createContext<Me | null>(null);

/** The signed-in person; only for screens inside the frame, which loads it. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('useMe is for screens inside the frame');
  return me;
}

/** Whether the person has a right. Only hides buttons: the server checks each call. */
export function useRight(right: Right): boolean {
  return useMe().rights.includes(right);
}
