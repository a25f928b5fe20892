/** The Content-Security-Policy of the panel's pages. Free of CDK, so that tests of pages start fast. */
import { createHash } from 'node:crypto';

/**
 * The styles that React Aria's scripts add to pages, verbatim: for elements that can be pressed, and, on iOS only, while a dialog
 * is open. Browsers compare them by their hashes.
 */
export const addedStyles: readonly string[] = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
];

export interface SiteHosts {
  /** The origin that browsers upload files to: `https://<bucket>.s3.<region>.amazonaws.com`. */
  readonly uploads: string;
  /** The origin of public files: `https://<domain>`. */
  readonly media: string;
}

/** Returns the policy: what pages of the panel may load, run and reach. No script can turn text into HTML or code. */
export function contentSecurityPolicy({ uploads, media }: SiteHosts): string {
  const hashes = addedStyles.map(
    (style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  return Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' ${hashes.join(' ')}`,
    'connect-src': `'self' ${uploads}`,
    'img-src': `'self' ${media} blob: data:`,
    'media-src': `'self' ${media} blob: data:`,
    'font-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
