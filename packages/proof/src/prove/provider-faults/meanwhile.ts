import { type SQL, sql } from 'drizzle-orm';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { receiveElsewhere } from '../../../../../apps/api/test/factories/invoices.ts';
import { addCard } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { linkLocation } from '../../../../../apps/api/test/factories/users.ts';
import type { Round } from '../attack.ts';
import { attack, type FaultAttack, variantOf } from './fault-attack.ts';
import { must, mustHear, newPayment, type Payment, type Press, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import type { Customer, FaultRig } from './rig.ts';

// What others do between the moment a payer looks and the moment the payment is accepted.

const idsOf = ({ invoices }: Payment) => sql.param(invoices.map((each) => each.invoiceId));

async function change({ portal }: FaultRig, payment: Payment, what: SQL): Promise<void> {
  await portal.deps.db.query.execute(sql`
    UPDATE invoice SET ${what} WHERE id = ANY(${idsOf(payment)}::bigint[])`);
}

type Seen = { versions: Map<number, number>; cents: number };

/** What the payer sees on the screen. */
async function look({ portal }: FaultRig, payment: Payment): Promise<Seen> {
  const { rows } = await portal.deps.db.query.execute<{ id: number; version: number; cents: number }>(sql`
    SELECT id, version, balance_cents AS cents FROM invoice WHERE id = ANY(${idsOf(payment)}::bigint[])`);
  const cents = rows.reduce((sum, row) => sum + row.cents, 0);
  return { versions: new Map(rows.map(({ id, version }) => [id, version])), cents };
}

/** Presses Pay for exactly what was seen. */
async function pressSeen(rig: FaultRig, payment: Payment, { versions, cents }: Seen): Promise<Press> {
  const [first] = payment.invoices;
  const isGuest = payment.kind === 'guest';
  const workOrders = payment.invoices.map(({ franchiseId, workOrderNumber, invoiceId }) => ({
    franchiseId,
    workOrderNumber,
    version: versions.get(invoiceId),
  }));
  const answer = await press(rig, payment, {
    ...(isGuest && first
      ? { headers: { 'if-match': `"${versions.get(first.invoiceId)}"` } }
      : { given: { workOrders } }),
  });
  if (answer.heard === 'paid') {
    must(Math.round(Number(answer.body.amount) * 100) === cents, `paid ${answer.body.amount} unseen`);
  }
  return answer;
}

const CHANGES = [
  'amount before',
  'amount meanwhile',
  'tips before',
  'void before',
  'received meanwhile',
] as const;

async function changedInvoices(rig: FaultRig, round: Round): Promise<void> {
  const payment = await newPayment(rig, round.run < CHANGES.length ? 'guest' : 'portal');
  const seen = await look(rig, payment);
  const meanwhile = (work: () => Promise<void>) => rig.proxy.plan({ name: 'authonly', before: work });
  switch (variantOf(round, CHANGES)) {
    case 'amount before': {
      await change(rig, payment, sql`amount_cents = amount_cents + 500`);
      const refused = await pressSeen(rig, payment, seen);
      must(refused.status === 409 && refused.codes.includes('InvoiceChanged'), `answered ${refused.status}`);
      break;
    }
    case 'amount meanwhile':
      meanwhile(() => change(rig, payment, sql`amount_cents = amount_cents - 500`));
      mustHear(await pressSeen(rig, payment, seen), 'changed meanwhile');
      break;
    case 'tips before': {
      await change(rig, payment, sql`tips_enabled = false`);
      const tips = { tipAmount: 5 };
      const workOrders = payment.invoices.map(({ franchiseId, workOrderNumber }) => ({
        franchiseId,
        workOrderNumber,
        ...tips,
      }));
      const refused = await press(rig, payment, {
        given: payment.kind === 'guest' ? tips : { workOrders },
      });
      must(refused.codes.includes('TipsNotEnabled'), `answered ${refused.status} ${refused.codes}`);
      break;
    }
    case 'void before':
      await change(rig, payment, sql`amount_cents = 0, tax_cents = 0`);
      mustHear(await pressSeen(rig, payment, seen), 'already paid');
      return resolve(rig, round);
    case 'received meanwhile':
      meanwhile(() => receiveSome(rig, payment));
      mustHear(await pressSeen(rig, payment, seen), 'changed meanwhile');
  }
  mustHear(await pressSeen(rig, payment, await look(rig, payment)), 'paid');
  payment.mustBePaid = true;
  await resolve(rig, round);
}

async function receiveSome({ portal }: FaultRig, { invoices }: Payment): Promise<void> {
  for (const { invoiceId } of invoices) {
    await receiveElsewhere(portal.deps.db.query, { invoiceId, receivedCents: 20_00 });
  }
}

async function remove({ url, customer }: FaultRig, path: string): Promise<number> {
  const { status } = await fetch(`${url}/api${path}`, {
    method: 'DELETE',
    headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${customer.token}` },
  });
  return status;
}

const TERMS = [
  'terms refused',
  'location removed before',
  'location removed meanwhile',
  'location removed at once',
  'terms refused at once',
] as const;

async function changedRights(rig: FaultRig, round: Round): Promise<void> {
  const { customer, portal, proxy, emulator } = rig;
  const payment = await newPayment(rig, 'portal');
  const locationId = payment.invoices[0]?.locationId ?? 0;
  const removeLocation = async () => void (await remove(rig, `/user/location/${locationId}`));
  const refuseTerms = () => press(rig, payment, { given: { legalAccepted: false } });
  const mustBeRefused = async (answer: Press, status: number) => {
    must(answer.status === status, `answered ${answer.status} ${answer.codes}`);
    must((await emulator.ledger()).length === 0, 'the provider was asked all the same');
  };
  switch (variantOf(round, TERMS)) {
    case 'terms refused':
      await mustBeRefused(await refuseTerms(), 400);
      await payAgain(rig, payment);
      break;
    case 'location removed before':
      await removeLocation();
      await mustBeRefused(await press(rig, payment), 404);
      break;
    case 'location removed meanwhile':
      // A payment that has begun is finished: the invoice was the payer's when it was claimed.
      proxy.plan({ name: 'authonly', before: removeLocation });
      await payAgain(rig, payment);
      break;
    case 'location removed at once': {
      const [answer] = await Promise.all([press(rig, payment), removeLocation()]);
      must([200, 404].includes(answer.status), `answered ${answer.status}`);
      payment.mustBePaid = answer.status === 200;
      break;
    }
    case 'terms refused at once': {
      const both = await Promise.all([press(rig, payment), refuseTerms()]);
      must(
        both.every(({ status }) => [200, 400, 409].includes(status)),
        `answered ${both.map(({ status }) => status)}`,
      );
      payment.mustBePaid = true;
    }
  }
  await resolve(rig, round);
  await linkAgain(portal, customer, payment);
}

async function linkAgain(portal: FaultRig['portal'], customer: Customer, payment: Payment): Promise<void> {
  const locationId = payment.invoices[0]?.locationId ?? 0;
  await portal.deps.db.query.execute(sql`
    DELETE FROM user_location WHERE user_id = ${customer.userId} AND location_id = ${locationId}`);
  await linkLocation(portal, { userId: customer.userId, locationId });
}

const DELETIONS = [
  'before',
  'while it is asked for',
  'before it is accepted',
  'before it is captured',
] as const;

async function deletedCards(rig: FaultRig, round: Round): Promise<void> {
  const { customer, emulator, portal, proxy } = rig;
  const paymentMethodId = await addCard(portal, emulator, customer);
  const removeCard = async () => {
    must(
      (await remove(rig, `/usaepay/portal/paymentmethods/${paymentMethodId}`)) < 300,
      'the card was not deleted',
    );
  };
  const given = { paymentMethodId };
  const payment = await newPayment(rig, round.run % 2 === 0 ? 'portal' : 'three');
  const when = variantOf(round, DELETIONS);
  if (when === 'before') await removeCard();
  if (when === 'while it is asked for') proxy.plan({ name: 'authonly', before: removeCard });
  if (when === 'before it is accepted') proxy.plan({ name: 'authonly', answered: removeCard });
  const answer = await press(rig, payment, { given });
  if (when === 'before it is captured') await removeCard();
  // Later holds need the card, which was loaded at the start, so a payment under way ends by its own rules.
  if (when === 'before') must(answer.status === 404, `answered ${answer.status}`);
  else mustHear(answer, 'paid');
  payment.mustBePaid = when !== 'before';
  const later = await press(rig, await newPayment(rig, 'portal'), { given });
  must(later.status === 404, `a deleted card was answered ${later.status}`);
  await resolve(rig, round);
}

export const meanwhile: FaultAttack[] = [
  attack(
    'F51',
    'an invoice that changes between look and payment: nobody pays what they have not seen',
    10,
    changedInvoices,
  ),
  attack(
    'F52',
    'terms refused, or a location removed, meanwhile: refused without a charge, or finished',
    10,
    changedRights,
  ),
  attack(
    'F53',
    'a card that is deleted while it pays: that payment ends by its own rules, later ones are refused',
    12,
    deletedCards,
  ),
];
