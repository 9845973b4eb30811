import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { SkipLink } from '@brightpane/ui/page/skip-link.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useFranchiseSearch } from '../../lib/franchise-choice.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { DoneNotice } from '../act/done-notice.tsx';
import { useWaiting } from '../act/use-waiting.ts';
import { FranchiseSelect } from '../fields/franchise-select.tsx';
import { UnseenFranchise } from '../fields/unseen-franchise.tsx';
import { DemoBand } from './demo-band.tsx';
import { OfficeBrand } from './office-brand.tsx';
import { OfficeNav } from './office-nav.tsx';
import { PersonMenu } from './person-menu.tsx';
import { useSearchKey } from './use-search-key.ts';

/** The frame of every signed-in screen: sidebar, top bar, main. */
export function OfficeFrame({
  onSignOut,
  children,
}: {
  onSignOut: () => Promise<ActionResult>;
  children: ReactNode;
}) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const { shortcuts } = useMe();
  const isLoading = useNavigation().state === 'loading';
  const navigate = useNavigate();
  const waiting = useWaiting();
  const search = useFranchiseSearch();
  const toSearch = () => void navigate(`/payments${search}`, { state: { focusSearch: true } });
  useSearchKey(shortcuts, toSearch);
  useEffect(() => {
    if (!isLoading) setIsMenuOpen(false);
  }, [isLoading]);
  return (
    <div className="office">
      <SkipLink />
      <DemoBand />
      <div className="office-side">
        <OfficeBrand />
        <OfficeNav waiting={waiting} />
      </div>
      <header className="office-bar">
        <button type="button" className="btn btn-outline office-menu" onClick={() => setIsMenuOpen(true)}>
          Menu
        </button>
        <div className="office-bar-brand">
          <OfficeBrand />
        </div>
        <FranchiseSelect />
        <button type="button" className="btn btn-outline office-search" onClick={toSearch}>
          Search
          {shortcuts && <span aria-hidden="true">/</span>}
        </button>
        <PersonMenu onSignOut={onSignOut} />
      </header>
      <main id="main" className="office-main" tabIndex={-1}>
        <Flash />
        <UnseenFranchise />
        <DoneNotice>{children}</DoneNotice>
      </main>
      <Dialog title="Menu" isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)}>
        <OfficeNav waiting={waiting} onGo={() => setIsMenuOpen(false)} />
        <button type="button" className="btn btn-outline" onClick={() => setIsMenuOpen(false)}>
          Close
        </button>
      </Dialog>
    </div>
  );
}
