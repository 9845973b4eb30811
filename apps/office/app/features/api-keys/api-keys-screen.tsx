import type { ApiKeys } from '@brightpane/contract/office/staff';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { Badge } from '@brightpane/ui/page/badge.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { franchiseNames } from '../../lib/me/franchise-names.ts';
import { rightsWords } from '../../lib/me/right-words.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OwnTime } from '../../ui/facts/own-time.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { CreateKey } from './create-key.tsx';

type ApiKey = ApiKeys['items'][number];

/** `/office/settings/api-keys`: keys for programs that call on behalf of offices. */
export function ApiKeysScreen({ apiKeys }: { apiKeys: ApiKey[] }) {
  const { franchises } = useMe();
  const [key, setKey] = useState<string | null>(null);
  const nameOf = franchiseNames(franchises);
  const columns: ListColumn<ApiKey>[] = [
    {
      head: 'Name',
      isName: true,
      cell: ({ name, revokedAt, isHeld }) => (
        <>
          {name} {revokedAt && <Badge tone="neutral">Revoked</Badge>}
          {isHeld && <Badge tone="danger">Held</Badge>}
        </>
      ),
    },
    { head: 'Key', isWide: true, cell: keyWords },
    {
      head: 'Franchise',
      isWide: true,
      cell: ({ franchiseId }) => (franchiseId === null ? 'All franchises' : nameOf(franchiseId)),
    },
    { head: 'Rights', isWide: true, cell: ({ rights }) => rightsWords(rights) },
    { head: 'Created', cell: ({ createdAt }) => <OwnTime at={createdAt} /> },
    { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <OwnTime at={lastUsedAt} /> : 'Never') },
  ];
  return (
    <div className="screen">
      <div className="screen-head">
        <OfficeTitle title="API keys" />
        {apiKeys.length > 0 && <CreateKey onCreated={setKey} />}
      </div>
      {apiKeys.length === 0 ? (
        <EmptyState title="No API keys." action={<CreateKey onCreated={setKey} />} />
      ) : (
        <ListRows
          caption="API keys"
          columns={columns}
          rows={apiKeys}
          rowKey={(row) => row.apiKeyId}
          rowDetails={(row) => isRevocable(row) && <Revoke apiKey={row} />}
        />
      )}
      <Dialog title="Your new key" isOpen={key !== null} isShownOnce onClose={() => setKey(null)}>
        <p>Keep it now: it is not shown again.</p>
        <code className="secret">{key}</code>
        <CopyButton text={key ?? ''} />
        <button type="button" className="btn btn-primary" onClick={() => setKey(null)}>
          Done
        </button>
      </Dialog>
    </div>
  );
}

/** The key from the deployment's settings can only be removed there. Its public id is no key's that we made. */
const isOfSettings = ({ publicId }: ApiKey) => publicId === 'environment';

const isRevocable = (row: ApiKey) => row.revokedAt === null && !isOfSettings(row);

/** How a key begins: several may have one name. */
const keyWords = (row: ApiKey) => (isOfSettings(row) ? 'In the settings' : `bpo_${row.publicId}…`);

function Revoke({ apiKey: { apiKeyId, name, publicId } }: { apiKey: ApiKey }) {
  const act = useAct();
  return (
    <div className="entry-actions">
      <ActDialog
        button="Revoke"
        buttonLabel={`Revoke ${name} (${publicId})`}
        title={`Revoke ${name}?`}
        submit="Revoke"
        done={`The key "${name}" (${publicId}) is revoked.`}
        isDanger
        act={() =>
          act(OFFICE_ENDPOINTS.revokeApiKey, {
            params: { apiKeyId },
            stepUp: `Revoke the key "${name}" (${publicId})`,
          })
        }
      >
        <p>
          It begins with <code>bpo_{publicId}</code>.
        </p>
        <p>Whatever calls with it is refused from now on.</p>
      </ActDialog>
    </div>
  );
}
