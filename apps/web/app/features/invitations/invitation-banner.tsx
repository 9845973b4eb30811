import type { Invitation } from '@brightpane/contract/customers/invitations';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useFetcher } from 'react-router';

/** Shown while invitations wait. Its form posts the intent `accept-invitations` to its own page. */
export function InvitationBanner({ invitations }: { invitations: Invitation[] }) {
  const fetcher = useFetcher<ActionResult>();
  useGoTo(fetcher.state === 'idle' ? fetcher.data : undefined);
  if (invitations.length === 0) return null;
  const customers = new Intl.ListFormat('en-US').format(invitations.map(({ customerName }) => customerName));
  return (
    <section className="panel invitation-banner" aria-label="Invitation">
      <p>
        You are invited to see and pay the invoices of <strong>{customers}</strong>.
      </p>
      <FetcherForm key={customers} fetcher={fetcher}>
        <SubmitButton name="intent" value="accept-invitations" isPending={fetcher.state !== 'idle'}>
          Accept Invite
        </SubmitButton>
      </FetcherForm>
    </section>
  );
}
