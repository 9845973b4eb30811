/**
 * Leads past the header to `<main id="main">`. It only moves the focus: following the fragment would add a history
 * entry without the state, in which a mail link's token is kept.
 */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it is a link, and works as one before the script has loaded.
    <a
      className="skip-link"
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      Skip to the content
    </a>
  );
}
