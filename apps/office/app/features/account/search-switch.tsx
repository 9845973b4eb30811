import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useState } from 'react';
import { changedMe } from '../../lib/me/me-stale.ts';
import { useAct } from '../../ui/act/use-act.ts';

/** Turns the shortcut `/` off for people who press it by accident. */
export function SearchSwitch({ isOn }: { isOn: boolean }) {
  const act = useAct();
  const [isPending, setIsPending] = useState(false);
  const [result, setResult] = useState<ActionResult>();
  async function change(shortcuts: boolean) {
    setIsPending(true);
    setResult(
      await act(OFFICE_ENDPOINTS.changeAccount, { body: { shortcuts } }, () => {
        changedMe();
        return undefined;
      }),
    );
    setIsPending(false);
  }
  return (
    <Card title="Keyboard">
      <Checkbox
        role="switch"
        label="Search with /"
        checked={isOn}
        disabled={isPending}
        onChange={({ target }) => void change(target.checked)}
      />
      <OutcomeAlert result={result} />
    </Card>
  );
}
