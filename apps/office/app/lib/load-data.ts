import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { callOffice, type OfficeCall, type OfficeCallOptions } from './api-client.ts';

/** Data that a screen cannot do without: a failure shows the error page, or that one may not see this. */
export async function loadData<Data>(call: OfficeCall, options?: OfficeCallOptions): Promise<Data> {
  const answer = await callOffice<Data>(call, options);
  if (!answer.ok) throw new LoadError('Unable to load a screen of the office', answer.problem);
  return answer.data;
}
