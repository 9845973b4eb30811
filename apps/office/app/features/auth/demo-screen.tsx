import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { refusalWords } from '../../lib/refusal.ts';
import { AuthColumn } from './auth-column.tsx';

/** `/office/demo`: the link that `npm start` prints. It opens the console once. */
export function DemoScreen({ link: { token } }: { link: MailLink }) {
  const [words, setWords] = useState(token === null ? 'This link is not complete.' : '');
  const navigate = useNavigate();
  const isSent = useRef(false);
  useEffect(() => {
    if (token === null || isSent.current) return;
    isSent.current = true;
    void callOffice(OFFICE_ENDPOINTS.demoSession, { body: { token }, isAnonymous: true }).then((answer) => {
      if (answer.ok) return navigate('/', { replace: true });
      setWords(refusalWords(answer.problem));
    });
  }, [token, navigate]);
  return (
    <AuthColumn title="The office of the demo">
      {words ? <Alert tone="danger">{words}</Alert> : <p role="status">Opening…</p>}
      {token === null && (
        <p>
          Get a new one with: <code>npm run portal -- staff demo-link</code>
        </p>
      )}
    </AuthColumn>
  );
}
