import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { contentSecurityPolicy, type SiteHosts } from '../content-security-policy.ts';
import { globalName } from './global-name.ts';

/** Browser features that no page of the panel uses. */
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

/** Creates the headers of the panel's own files. */
export function createPagesHeaders(scope: Construct, hosts: SiteHosts): ResponseHeadersPolicy {
  const custom = {
    // Windows of other sites get no reference to ours. The sign-in window talks to the page by a BroadcastChannel.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  };
  return new ResponseHeadersPolicy(scope, 'PagesHeaders', {
    responseHeadersPolicyName: globalName(scope, 'pages'),
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

/** Creates the headers that are added to the HTTP API's answers, which have their own Content-Security-Policy. */
export function createApiHeaders(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'ApiHeaders', {
    responseHeadersPolicyName: globalName(scope, 'api'),
    securityHeadersBehavior: commonHeaders,
  });
}
