import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Card } from '@brightpane/ui/page/card.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { changedMe } from '../../lib/me/me-stale.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { RecoveryCodes } from '../auth/factors/recovery-codes.tsx';

/** **Recovery codes**: how many are left, and a way to make new ones, which are shown once. */
export function RecoveryCodesCard({ left }: { left: number }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const act = useAct();
  return (
    <Card title="Recovery codes">
      <div className="entry">
        <p>{left === 0 ? 'None left' : `${left} left`}</p>
        <ActDialog
          button="Make new codes"
          title="Make new codes?"
          done={null}
          act={() =>
            act<{ recoveryCodes: string[] }>(
              OFFICE_ENDPOINTS.renewRecoveryCodes,
              { body: {}, once: 'recovery-codes', stepUp: 'Make new recovery codes' },
              ({ recoveryCodes }) => {
                changedMe();
                setCodes(recoveryCodes);
                return undefined;
              },
            )
          }
        >
          <p>The codes that you have now will not work any more.</p>
        </ActDialog>
      </div>
      <Dialog
        title="Your new recovery codes"
        isOpen={codes !== null}
        isShownOnce
        onClose={() => setCodes(null)}
      >
        <p>Each opens the console once. They are not shown again.</p>
        <RecoveryCodes codes={codes ?? []}>
          {(isKept) => (
            <button
              type="button"
              className="btn btn-primary"
              disabled={!isKept}
              onClick={() => setCodes(null)}
            >
              Done
            </button>
          )}
        </RecoveryCodes>
      </Dialog>
    </Card>
  );
}
