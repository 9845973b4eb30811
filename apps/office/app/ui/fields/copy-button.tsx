import { useState } from 'react';

/** Copies a text to the clipboard and says whether that worked. */
export function CopyButton({
  text,
  label,
  words = 'Copy',
}: {
  text: string;
  label?: string;
  words?: string;
}) {
  const [said, setSaid] = useState('');
  async function copy() {
    await navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser did not let us copy. Select the text and copy it.'),
    );
  }
  return (
    <span className="copy">
      <button type="button" className="btn btn-outline" aria-label={label} onClick={() => void copy()}>
        {words}
      </button>
      <span role="status" className="quiet">
        {said}
      </span>
    </span>
  );
}
