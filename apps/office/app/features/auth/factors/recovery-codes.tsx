import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../../ui/fields/copy-button.tsx';

/** New recovery codes. They are shown once, so the person has to keep them before going on. */
export function RecoveryCodes({
  codes,
  children,
}: {
  codes: string[];
  children: (isKept: boolean) => ReactNode;
}) {
  const [isKept, setIsKept] = useState(false);
  const text = codes.join('\n');
  return (
    <>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="button-row no-print">
        <CopyButton text={text} />
        <a
          className="btn btn-outline"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="brightpane-recovery-codes.txt"
        >
          Download
        </a>
        <button type="button" className="btn btn-outline" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <Checkbox
        label="I have kept these codes"
        checked={isKept}
        onChange={({ target }) => setIsKept(target.checked)}
      />
      {children(isKept)}
    </>
  );
}
