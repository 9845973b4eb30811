import { TermsScreen } from '../features/terms/terms-screen.tsx';
import { env } from '../lib/env.ts';
import { SiteFrame } from '../ui/site-frame.tsx';

export default function Terms() {
  return (
    <SiteFrame>
      <TermsScreen text={env.terms ?? ''} version={env.termsVersion} />
    </SiteFrame>
  );
}
