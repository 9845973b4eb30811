import type { Location } from '@brightpane/contract/customers/locations';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router';
import { locationName } from './location-name.ts';

type Removed = {
  location: Location;
  /** Runs before the page is left. Keep its identity, or it runs again. */
  onRemoved: () => void;
};

/** Asks for confirmation. Its form posts the intent `remove-location` to its own page. */
export function RemoveLocationButton({ location, onRemoved }: Removed) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" className="btn btn-quiet" onClick={() => setIsAsking(true)}>
        Remove location
      </button>
      <Dialog
        title={`Remove ${locationName(location)}?`}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      >
        {isAsking && <Removal location={location} onRemoved={onRemoved} />}
      </Dialog>
    </>
  );
}

function Removal({ location, onRemoved }: Removed) {
  const fetcher = useFetcher<ActionResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  const isRemoved = result?.success === true;
  useEffect(() => {
    if (isRemoved) onRemoved();
  }, [isRemoved, onRemoved]);
  useGoTo(result);
  const isPending = fetcher.state !== 'idle' || isRemoved;
  return (
    <>
      <p>
        Its invoices will no longer be in your list. You can add it again with the numbers of one of its
        invoices.
      </p>
      <OutcomeAlert result={result} />
      <FetcherForm fetcher={fetcher} className="button-row">
        <input type="hidden" name="locationId" value={location.locationId} />
        <SubmitButton name="intent" value="remove-location" className="btn btn-danger" isPending={isPending}>
          Remove location
        </SubmitButton>
        <CancelButton className="btn btn-outline" />
      </FetcherForm>
    </>
  );
}
