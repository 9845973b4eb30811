import { sql } from 'drizzle-orm';
import { storeSealedKeys } from '../../../../../apps/api/src/modules/merchant-accounts/merchant-accounts.queries.ts';
import {
  type GatewayKeys,
  replaceMerchantAccount,
} from '../../../../../apps/api/src/modules/merchant-accounts/replace-merchant-account.ts';
import { sealKeys } from '../../../../../apps/api/src/modules/merchant-accounts/sealed-keys.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
} from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import {
  attack,
  CASES,
  type Case,
  mustAgree,
  mustBe,
  partsOf,
  type RefundAttack,
  recover,
  rowsThere,
} from './refund-attack.ts';
import type { RefundRig } from './rig.ts';

/** Which account the new keys open, once the provider refuses the old ones. */
const NEW_KEYS = ['the same account', 'another account'] as const;

type Owned = Refundable & { franchiseId: number; accountId: number };

/** Gives a franchise new keys, and looks at the new account's list. */
async function useKeys({ portal: { deps } }: RefundRig, franchiseId: number, keys: GatewayKeys) {
  await deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
  await compareAfterRestore(deps);
}

/** Pays and captures a guest's invoice on its franchise's own account. */
async function payOnOwnAccount(rig: RefundRig, what: Case): Promise<Owned> {
  const { emulator, portal } = rig;
  const { query } = portal.deps.db;
  const invoice = await makeInvoice(query);
  const { franchiseId } = invoice;
  await useKeys(rig, franchiseId, await emulator.merchant('north'));
  const body = await guestSale(emulator, invoice, { email: 'payer@example.com', merchant: 'north' });
  const answer = await payAsGuest(portal, body);
  must(answer.statusCode === 200, `paying was answered ${answer.statusCode} ${answer.body}`);
  await sweep(portal.deps);
  if (what !== 'void') await emulator.callAs('north', 'POST', '/batches/current/close', {});
  const sale = await makeRefundable(query, invoice);
  rig.refunds.sales.push(sale);
  const { rows } = await query.execute<{ accountId: number }>(
    sql`SELECT merchant_account_id AS "accountId" FROM charge WHERE id = ${sale.chargeId}`,
  );
  return { ...sale, franchiseId, accountId: rows[0]?.accountId ?? 0 };
}

/** Overwrites the stored keys of a sale's account: the provider refuses all but the real ones. */
const storeKeys = (
  { portal: { deps } }: RefundRig,
  { accountId: id }: Owned,
  keys: Pick<GatewayKeys, 'apiKey' | 'pin'>,
) => storeSealedKeys(deps.db.query, { id, ...sealKeys(deps.secretBox, id, keys) });

const REVOKED = { apiKey: '_revokedApiKey', pin: '0000' };

export const keys: RefundAttack[] = [
  attack(
    'RF68b',
    'the keys are replaced: it is sent only under keys that show the sale',
    6,
    async (rig, round) => {
      const { emulator, portal } = rig;
      const isOther = variantOf(round, NEW_KEYS) === 'another account';
      const what = CASES[Math.floor(round.run / NEW_KEYS.length) % CASES.length] ?? 'part';
      const [north, east] = [await emulator.merchant('north'), await emulator.merchant('east')];
      const sale = await payOnOwnAccount(rig, what);
      const refundId = await requestRefund(portal.deps, sale, partsOf(what));
      await storeKeys(rig, sale, REVOKED);
      try {
        await useKeys(rig, sale.franchiseId, isOther ? east : north);
        await sweepAfterBoth(rig, 1);
        if (isOther) {
          await mustBe(rig, refundId, 'waiting');
          must((await rowsThere(rig, sale)).join() === 'L 108.25', 'something was sent');
          must(
            rig.run.errors.some(({ alert }) => alert !== undefined && /refund|keys/.test(alert)),
            'nobody was alerted',
          );
          await useKeys(rig, sale.franchiseId, north);
        }
        await recover(rig);
        await mustBe(rig, refundId, 'made');
        await mustAgree(rig, { sale, refundId, what });
      } finally {
        // Later runs read every account's list.
        await storeKeys(rig, sale, north);
      }
    },
  ),
];
