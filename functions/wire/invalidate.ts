import { openInvalidations } from '../../lib/aws/invalidations.ts';
import type { Wire } from './start.ts';

/** Makes the media host drop its cached copies of removed files. */
export const invalidate: Wire<ReturnType<typeof openInvalidations>> = (environment) => {
  // The same variables that the SDK reads, so that all functions can be given another endpoint in the same way.
  const override = environment('AWS_ENDPOINT_URL_CLOUDFRONT', '') || environment('AWS_ENDPOINT_URL', '');
  return openInvalidations({
    endpoint: override || 'https://cloudfront.amazonaws.com',
    distributionId: environment('MEDIA_DISTRIBUTION_ID'),
    credentials: {
      accessKeyId: environment('AWS_ACCESS_KEY_ID'),
      secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
      sessionToken: environment('AWS_SESSION_TOKEN', ''),
    },
  });
};
