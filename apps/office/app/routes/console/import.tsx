import type { Imports } from '@brightpane/contract/office/imports';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { ImportRow } from '../../features/import/import-history.tsx';
import { ImportScreen } from '../../features/import/import-screen.tsx';
import { useRight } from '../../lib/me/use-me.ts';
import { NotAllowedPage } from '../../ui/frame/not-allowed-page.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/import.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { load: startList<ImportRow, Imports>(OFFICE_ENDPOINTS.imports, request, []) };
}

export default function ImportPage({ loaderData: { load } }: Route.ComponentProps) {
  return useRight('import') ? <ImportScreen load={load} /> : <NotAllowedPage />;
}
