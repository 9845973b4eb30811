import type { ReactNode } from 'react';
import { Links, Meta, Scripts, ScrollRestoration } from 'react-router';

/**
 * The document around an app, for its root's `Layout`. It renders at build time, so it may not use `window`.
 * A function adds less to the entry page than a component with props.
 */
export const documentOf =
  (
    icon: string,
    /** What only this app puts into the head. */
    head: ReactNode,
    /** Shown by browsers without JavaScript. */
    withoutScript: string,
  ) =>
  ({ children }: { children: ReactNode }) => (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {head}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1722" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={icon} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <noscript>
          <p className="notice notice-warning">{withoutScript}</p>
        </noscript>
        {/* The API server replaces this text with the deployment's settings (lib/env.ts reads them). */}
        <script
          id="settings"
          type="application/json"
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a fixed text; children would be escaped.
          dangerouslySetInnerHTML={{ __html: '{}' }}
        />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
