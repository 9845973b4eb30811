import type { OfficeCustomer } from '@brightpane/contract/office/customers';

/** Below a customer's locations, if not all are shown: how many there are. */
export function MoreLocations({
  customer: { locations, locationCount },
}: {
  customer: Pick<OfficeCustomer, 'locations' | 'locationCount'>;
}) {
  if (locationCount <= locations.length) return null;
  return <p>{`The first ${locations.length} of ${locationCount.toLocaleString('en-US')} are shown.`}</p>;
}
