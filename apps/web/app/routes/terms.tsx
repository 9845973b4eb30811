import { TermsScreen } from '../features/terms/terms-screen.tsx';
import { env } from '../lib/env.ts';
import { SiteFrame } from '../ui/site-frame.tsx';

/**
 * Only the document of this path carries the text. Back may come here within another one: a page that was opened from
 * here and then reloaded. The document is loaded then; without a portal there is no text to load.
 */
export async function clientLoader(): Promise<null> {
  if (env.terms !== undefined || env.termsVersion === '') return null;
  window.location.replace('/terms');
  return new Promise(() => {});
}

export default function Terms() {
  return (
    <SiteFrame>
      <TermsScreen text={env.terms ?? ''} version={env.termsVersion} />
    </SiteFrame>
  );
}
