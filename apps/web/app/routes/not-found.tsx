import { NotFoundPage } from '../ui/not-found-page.tsx';
import { SiteFrame } from '../ui/site-frame.tsx';

export default function NotFound() {
  return (
    <SiteFrame>
      <NotFoundPage />
    </SiteFrame>
  );
}
