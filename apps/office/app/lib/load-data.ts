import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { callOffice, type OfficeCall, type OfficeCallOptions } from './api-client.ts';

/** Loads data that a screen can't do without. A failure shows the error page, or that the person may not see this. */
export async function loadData<Data>(call: OfficeCall, options?: OfficeCallOptions): Promise<Data> {
  const answer = await callOffice<Data>(call, options);
  if (!answer.ok) throw new LoadError('Unable to load a screen of the office', answer.problem);
  return answer.data;
}
