import type { ListedPayment, Payments, Statement } from '@brightpane/contract/invoices/payment-history';
import { parse } from 'csv-parse/sync';
import { call, type TestApp } from '../../build-test-app.ts';
import { makeInvoice } from '../invoices.ts';
import { linkLocation, type SignedInUser, signInUser } from '../users.ts';
import type { DecidedPayment } from './decided-payments.ts';

export type Asking = Pick<SignedInUser, 'token'>;
type Row = Record<string, string>;

/** An account's calls about its payments, and households that have some. */
export function usePaymentHistory(portal: TestApp) {
  const db = () => portal.deps.db.query;
  const get = ({ token }: Asking, path: string) => call(portal, 'GET', `/user${path}`, { token });
  const open = (link: string) => portal.app.inject(link.replace(portal.deps.env.PUBLIC_URL, ''));
  const statementOf = async (user: Asking, query = '?year=2026') =>
    (await get(user, `/statements${query}`)).json<Statement>();
  return {
    get,
    open,
    statementOf,
    listOf: async (user: Asking, query = '?year=2026') =>
      (await get(user, `/payments${query}`)).json<Payments>(),
    paymentOf: async (user: Asking, { paymentId }: Pick<DecidedPayment, 'paymentId'>) =>
      (await get(user, `/payments/${paymentId}`)).json<ListedPayment>(),
    fileOf: async (user: Asking, query?: string): Promise<Row[]> =>
      parse((await open((await statementOf(user, query)).csvLink)).body, { columns: true, bom: true }),
    /** A person with a location, and another invoice there for each payment. */
    household: async (given: Parameters<typeof makeInvoice>[1] = {}) => {
      const user = await signInUser(portal);
      const first = await makeInvoice(db(), given);
      await linkLocation(portal, { ...user, ...first });
      const { franchiseId, customerId, locationId } = first;
      const another = () => makeInvoice(db(), { franchiseId, customerId, locationId });
      return { ...user, ...first, first, another };
    },
    /** Another person with the same location. */
    join: async (locationId: number) => {
      const user = await signInUser(portal);
      await linkLocation(portal, { ...user, locationId });
      return user;
    },
  };
}

/** The sum of dollars, exact to the cent. */
export const sumDollars = (amounts: number[]) =>
  amounts.reduce((so, each) => so + Math.round(each * 100), 0) / 100;
