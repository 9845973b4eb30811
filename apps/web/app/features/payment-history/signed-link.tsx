import type { Answer } from '@brightpane/ui/forms/ask-server';
import type { ReactNode } from 'react';
import { useAsk } from '../../lib/use-ask.ts';
import { useFreshLink } from '../invoices/use-fresh-link.tsx';

/** A link to a file, opened in this tab. */
export function SignedLink({
  link,
  renew,
  children,
}: {
  link: string;
  /** `null`: there is no such file any more. */
  renew: () => Promise<Answer<string> | null>;
  children: ReactNode;
}) {
  const ask = useAsk();
  const { open, failure } = useFreshLink({
    link,
    what: 'the file',
    openFresh: async () => {
      const fresh = await ask(renew);
      if (fresh?.ok) window.location.assign(fresh.data);
      return fresh;
    },
  });
  return (
    <>
      <a className="btn btn-outline" href={link} onClick={open}>
        {children}
      </a>
      {failure}
    </>
  );
}
