/**
 * What a page says that doesn't come alive. Style alone shows it, after ten seconds or as soon as `mayStart` refuses:
 * the scripts may be what is missing. It goes when the page is alive.
 */
export function StalledNotice() {
  return (
    <p className="notice notice-warning stalled-notice" role="alert">
      This page has not loaded completely.{' '}
      {/* biome-ignore lint/a11y/useValidAnchor: an empty address is the page's own, and a link needs no script. */}
      <a href="">Load it again</a>
    </p>
  );
}
