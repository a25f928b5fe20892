import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';

/** A self-contained page for people. It loads nothing except the given images, and runs no scripts. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

interface PageContent {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** URLs of images. The policy allows their hosts. */
  readonly imageUrls?: readonly string[];
  /**
   * The URL to which the response to a form may redirect. Browsers apply `form-action` to redirects too. Without it, any https
   * URL is allowed, because the redirect may itself lead to further hosts.
   */
  readonly formLeadsTo?: string | undefined;
}

const style = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1c2126; --faint: #5b6570; --line: #d5dae0; --accent: #0a5bd3; --on-accent: #fff; --alert: #b3261e }
@media (prefers-color-scheme: dark) { :root { --page: #121417; --card: #1c1f24; --text: #e8eaed; --faint: #a3abb5; --line: #3a4048; --accent: #8ab8ff; --on-accent: #0b1b33; --alert: #ff9e94 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 32rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-wrap: anywhere }
h1 { margin: 0 0 .5rem; font-size: 1.25rem }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.0625rem }
p { margin: .5rem 0 }
fieldset { margin: 1rem 0; padding: 0; border: 0 }
legend { padding: 0; color: var(--faint) }
label { display: flex; align-items: center; gap: .75rem; padding: .75rem 0; border-top: 1px solid var(--line); cursor: pointer }
legend + label { margin-top: .5rem }
input { width: 1.25rem; height: 1.25rem; flex: none; accent-color: var(--accent) }
img, .initial { width: 2.5rem; height: 2.5rem; flex: none; border-radius: 50%; background: var(--line) }
.initial { display: grid; place-items: center; font-weight: 600 }
small { display: block; color: var(--faint) }
.lead { font-size: 1.0625rem }
.note { padding: .75rem; border-radius: .5rem; background: var(--page); color: var(--faint); font-size: .9375rem }
dt { margin-top: .75rem }
dd { margin: 0 }
a { color: var(--accent) }
code, pre { font: .9375em ui-monospace, monospace }
pre { padding: .75rem; border-radius: .5rem; background: var(--page); white-space: pre-wrap }
ol, ul { margin: 1rem 0; padding-left: 1.25rem }
li { margin: .35rem 0 }
form { margin: 1.25rem 0 0 }
.buttons { display: flex; gap: .75rem; margin: 1.25rem 0 0 }
button, .button { display: inline-block; text-decoration: none; padding: .6rem 1.25rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button.plain { background: none; color: var(--text); box-shadow: inset 0 0 0 1px var(--line) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[role=alert] { color: var(--alert); font-weight: 600 }
`;

/** The policy allows exactly this style, by its digest (CSP level 2, "hash-source"). */
const styleDigest = createHash('sha256').update(style, 'utf8').digest('base64');

/** Builds a page. Text is escaped; `imageUrls` and `formLeadsTo` are allowed by its content security policy. */
export function page({ status, title, body, imageUrls = [], formLeadsTo }: PageContent): Page {
  const document = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  const images = new Set(imageUrls.flatMap((url) => sourceOf(url) ?? []));
  const formTarget = formLeadsTo === undefined ? undefined : sourceOf(formLeadsTo);
  return {
    status,
    html: document.html,
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src 'sha256-${styleDigest}'`,
      `img-src ${images.size === 0 ? "'none'" : [...images].join(' ')}`,
      ["form-action 'self' https:", ...(formTarget === undefined ? [] : [formTarget])].join(' '),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

/**
 * True if a host, as `URL` normalizes it, is an IPv6 address or has only characters that a content security policy allows in a
 * host (CSP level 3, "host-part"; browsers allow `_` too). `URL` also accepts `;` and `,`, which end a directive or a policy:
 * https://www.w3.org/TR/CSP3/#grammardef-host-part
 */
export function isPlainHost(hostname: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(hostname) || /^\[[0-9a-f:.]+\]$/i.test(hostname);
}

/** Returns the CSP source expression that allows the URL; `undefined` if none can. A policy cannot name an IPv6 address. */
function sourceOf(url: string): string | undefined {
  const { protocol, hostname, origin } = new URL(url);
  if (!isPlainHost(hostname)) return undefined;
  return hostname.startsWith('[') ? protocol : origin;
}
