import { Checkbox } from '@brightpane/ui/checkbox.tsx';
import { type ReactNode, useState } from 'react';

/** Recovery codes, which are shown once: to keep before anything else goes on. */
export function RecoveryCodes({
  codes,
  children,
}: {
  codes: string[];
  children: (isKept: boolean) => ReactNode;
}) {
  const [isKept, setIsKept] = useState(false);
  const [said, setSaid] = useState('');
  const text = codes.join('\n');
  async function copy() {
    await navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser did not let us copy. Select the codes and copy them.'),
    );
  }
  return (
    <>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="button-row no-print">
        <button type="button" className="btn btn-outline" onClick={() => void copy()}>
          Copy
        </button>
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
      <p role="status" className="quiet">
        {said}
      </p>
      <Checkbox
        label="I have kept these codes"
        checked={isKept}
        onChange={({ target }) => setIsKept(target.checked)}
      />
      {children(isKept)}
    </>
  );
}
