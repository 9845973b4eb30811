import type { CustomerRow } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { LeaveDialog } from '@brightpane/ui/page/dialog/leave-dialog.tsx';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { isPageLeft } from '../../lib/leave-page.ts';
import { refusalWords } from '../../lib/refusal.ts';
import { customerKey } from './use-ticked-customers.ts';

type Outcome = { row: CustomerRow; words: string; isInvited: boolean };

/**
 * **Invite selected**: one call per row, in sequence. Invited rows are deselected; failed and untried ones stay
 * selected, as do rows selected meanwhile. A row deselected before its turn is not invited, and each is invited at the
 * address that it has by then.
 */
export function InviteSelected({
  rows,
  onInvited,
}: {
  rows: CustomerRow[];
  onInvited: (row: CustomerRow) => void;
}) {
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const { revalidate } = useRevalidator();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const selected = useRef(rows);
  useLayoutEffect(() => {
    selected.current = rows;
  });
  const isHere = useRef(false);
  const inviting = useRef<CustomerRow[]>([]);
  // Whoever leaves while they are invited must not find them selected, as if they had to be invited again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once it is left.
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      for (const row of inviting.current) onInvited(row);
    };
  }, []);
  const reachable = rows.filter(({ email }) => email !== null);
  const without = rows.length - reachable.length;

  async function invite() {
    const results: Outcome[] = [];
    setOutcomes([]);
    inviting.current = reachable;
    for (const [index, pressed] of reachable.entries()) {
      const row = selected.current.find((each) => customerKey(each) === customerKey(pressed));
      if (!row?.email) continue;
      setProgress({ done: index, of: reachable.length });
      const { franchiseId, customerNumber, email } = row;
      const answer = await callOffice(OFFICE_ENDPOINTS.inviteToCustomer, {
        params: { franchiseId, customerNumber },
        body: { email },
        once: `invite ${customerKey(row)}`,
      });
      const words = answer.ok ? `Invited at ${email}.` : refusalWords(answer.problem);
      results.push({ row, words, isInvited: answer.ok });
      setOutcomes([...results]);
      if (answer.ok && isHere.current) onInvited(row);
      // Rate limited: the remaining rows would be refused too.
      if (!answer.ok && answer.problem.status === 429) break;
    }
    inviting.current = [];
    setProgress(null);
    await revalidate();
  }

  function statusWords(): string {
    if (progress) return `${progress.done + 1} of ${progress.of}`;
    const invited = outcomes.filter(({ isInvited }) => isInvited).length;
    const tried = outcomes.length > 0 ? `${invited} of ${outcomes.length} invited. ` : '';
    const missing = without > 0 ? `, ${without} without an email` : '';
    return rows.length > 0 ? `${tried}${rows.length} selected${missing}` : tried;
  }

  if (rows.length === 0 && outcomes.length === 0) return null;
  return (
    <section className="card panel selection-bar" aria-label="Invite selected">
      <p role="status">{statusWords()}</p>
      {progress && (
        <LeaveDialog keepsQuery mayLeave={isPageLeft}>
          Invitations are still being sent. If you leave, the rest is sent too, but you do not see what became
          of each.
        </LeaveDialog>
      )}
      <button
        type="button"
        className="btn btn-primary"
        disabled={reachable.length === 0 || progress !== null}
        onClick={() => void invite()}
      >
        Invite selected
      </button>
      {outcomes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
        <ul className="outcomes" aria-label="What became of each" tabIndex={0}>
          {outcomes.map(({ row, words, isInvited }) => (
            <li key={customerKey(row)} className={isInvited ? undefined : 'outcome-refused'}>
              {row.name}: {words}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
