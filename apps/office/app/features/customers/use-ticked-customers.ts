import type { CustomerList, CustomerRow } from '@brightpane/contract/office/customers';
import { useEffect, useState } from 'react';
import { useNavigationType } from 'react-router';
import { useMe } from '../../lib/me/use-me.ts';
import type { ListLoad } from '../../ui/list/load-list.ts';

type Ticked = ReadonlyMap<string, CustomerRow>;

/** Outlasts the screen, so that they are still ticked on the way back from one of them; each person has their own. */
let kept: { staffId: string; ticked: Ticked } = { staffId: '', ticked: new Map() };

export const customerKey = ({ franchiseId, customerNumber }: CustomerRow) =>
  `${franchiseId}/${customerNumber}`;

/** The ticked customers of any page of the list, each as it was loaded last, and what ticks or unticks one. */
export function useTickedCustomers(
  load: ListLoad<CustomerRow, CustomerList>,
): [Ticked, (row: CustomerRow, isTicked: boolean) => void] {
  const { staffId } = useMe();
  const isBack = useNavigationType() === 'POP';
  const [ticked, setTicked] = useState<Ticked>(() => {
    // Whoever comes by a link begins anew: forgotten ones would be invited too, at addresses of then.
    if (!isBack || kept.staffId !== staffId) kept = { staffId, ticked: new Map() };
    return kept.ticked;
  });
  const change = (to: (before: Ticked) => Ticked) => {
    kept = { staffId, ticked: to(kept.staffId === staffId ? kept.ticked : new Map()) };
    setTicked(kept.ticked);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load tells once.
  useEffect(() => {
    let isCurrent = true;
    void load.answer.then((answer) => {
      if (isCurrent && answer.ok) change((before) => withNews(before, answer.data.items));
    });
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return [
    ticked,
    (row, isTicked) =>
      change((before) => {
        const after = new Map(before);
        if (isTicked) after.set(customerKey(row), row);
        else after.delete(customerKey(row));
        return after;
      }),
  ];
}

/** An import may have corrected an address since the customer was ticked. */
function withNews(ticked: Ticked, rows: CustomerRow[]): Ticked {
  const after = new Map(ticked);
  for (const row of rows) if (ticked.has(customerKey(row))) after.set(customerKey(row), row);
  return after;
}
