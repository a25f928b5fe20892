import { createHash } from 'node:crypto';
import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/**
 * The styles that React Aria adds to pages from its scripts, as they are there: for elements that can be pressed, and, on iOS only,
 * while a dialog is open. Browsers compare them by their hashes.
 */
export const addedStyles: readonly string[] = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
];

export interface SiteHosts {
  /** Where browsers upload files to: `https://<bucket>.s3.<region>.amazonaws.com`. */
  readonly uploads: string;
  /** Where public files are: `https://<domain>`. */
  readonly media: string;
}

/** What pages of the panel may load, run and reach. No script can turn text into HTML or code. */
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

/** What no page of the panel uses. */
const unusedFeatures = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

const commonHeaders = {
  contentTypeOptions: { override: true },
  referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
  strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
};

/** The headers of the panel's own files. */
export function createPagesHeaders(scope: Construct, hosts: SiteHosts): ResponseHeadersPolicy {
  const custom = {
    // Windows of other sites get no hold of ours. The window that signs in speaks to the page by a BroadcastChannel.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  };
  return new ResponseHeadersPolicy(scope, 'PagesHeaders', {
    securityHeadersBehavior: {
      ...commonHeaders,
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(hosts), override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(custom).map(([header, value]) => ({ header, value, override: true })),
    },
  });
}

/** The headers that are added to what the HTTP API answers, which sets its own Content-Security-Policy. */
export function createApiHeaders(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'ApiHeaders', { securityHeadersBehavior: commonHeaders });
}
