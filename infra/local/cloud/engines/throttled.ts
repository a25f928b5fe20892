/** Limits calls of services with a quota of calls. */

import { AwsError } from './errors.ts';
import type { BufferedService } from './service.ts';
import type { TokenBucket } from './token-bucket.ts';

/** @param refusal the service's own error, thrown for a call without a token */
export function throttled(
  service: BufferedService,
  bucket: TokenBucket | undefined,
  refusal: AwsError,
): BufferedService {
  return {
    ...service,
    async handle(request, response) {
      if (bucket?.take() === false) throw refusal;
      return service.handle(request, response);
    },
  };
}

/** https://docs.aws.amazon.com/kms/latest/developerguide/throttling.html */
export const kmsThrottling = new AwsError(
  'ThrottlingException',
  'You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.',
);

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/CommonErrors.html and API_CreateSchedule.html */
export const schedulerThrottling = new AwsError('ThrottlingException', 'Rate exceeded', 429);
