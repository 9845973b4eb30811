import type { Deps } from '../../../deps.ts';
import type { PaymentGateway } from '../../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { type Scan, type ScanRequest, scanListing } from './scan-listing.ts';

export type OwnersScan = {
  scan: Scan;
  gateway: PaymentGateway;
  /** Which keys it was read with. */
  by: 'own' | 'newer';
  areOwnRefused: boolean;
  /** Newer keys may show more: they were not answered. */
  mayBeElsewhere: boolean;
};

/**
 * Reads an account's list for these orders. If the provider refuses the account's own keys, reads with its owner's newer
 * ones: a row with one of the order ids proves that they reach the same account; a missing row proves nothing.
 * `isThorough` asks the newer keys also if the own ones show none of the orders, as they may reach another account by now.
 */
export async function scanByAnyKeys(
  deps: Deps,
  {
    accountId,
    orderIds,
    scan = scanListing,
    isThorough = false,
    ...reach
  }: Omit<ScanRequest, 'gateway'> & {
    orderIds: readonly string[];
    scan?: (deps: Deps, request: ScanRequest) => Promise<Scan>;
    isThorough?: boolean;
  },
): Promise<OwnersScan> {
  const [own, ...newer] = await openMerchantKeys(deps, { accountId });
  const gateway = deps.gateways.of(own);
  const shown = await scan(deps, { ...reach, gateway, accountId });
  const isKnown = ({ byOrderId }: Scan) => orderIds.some((orderId) => byOrderId.has(orderId));
  const areOwnRefused = shown.stoppedBy === 'refused';
  const areNewerAsked = areOwnRefused || (isThorough && shown.isComplete && !isKnown(shown));
  let areAnswered = true;
  for (const keys of areNewerAsked ? newer.reverse() : []) {
    const other = deps.gateways.of(keys);
    const otherScan = await scan(deps, { ...reach, gateway: other, accountId: keys.id });
    if (isKnown(otherScan))
      return { scan: otherScan, gateway: other, by: 'newer', areOwnRefused, mayBeElsewhere: false };
    areAnswered &&= otherScan.isComplete || otherScan.stoppedBy === 'refused';
  }
  return { scan: shown, gateway, by: 'own', areOwnRefused, mayBeElsewhere: !areAnswered };
}
