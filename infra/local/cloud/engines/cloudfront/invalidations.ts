/**
 * CloudFront's CreateInvalidation over REST-XML. Any other operation is refused.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html
 */

import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { DistributionResource } from '../../model.ts';
import { AwsError, accessDenied, requireAccess } from '../errors.ts';
import { elementsNamed, unescapeText, xmlDocument } from '../s3/xml.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from '../service.ts';

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const maximumPaths = 3_000;
const maximumBytes = 8 * 1024 * 1024;
const namespace = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';

export function createCloudfrontService({
  distributions,
  clock,
  invalidate,
}: {
  readonly distributions: readonly DistributionResource[];
  readonly clock: Clock;
  readonly invalidate: (distribution: DistributionResource, paths: readonly string[]) => void;
}): BufferedService {
  /** The paths of each caller reference, by distribution and reference. */
  const earlier = new Map<string, string>();

  function create(request: ServiceRequest): ServiceReply {
    const [, id] = /^\/2020-05-31\/distribution\/([A-Z0-9]+)\/invalidation$/.exec(request.path) ?? [];
    if (id === undefined || request.method !== 'POST') {
      throw new AwsError('NotImplemented', 'The local cloud only creates invalidations.', 501);
    }
    const distribution = distributions.find((candidate) => candidate.id === id);
    const resource = distribution?.arn ?? `arn:aws:cloudfront:::distribution/${id}`;
    requireAccess(request.caller, { action: 'cloudfront:CreateInvalidation', resource, context: {} });
    if (!distribution) {
      throw new AwsError('NoSuchDistribution', 'The specified distribution does not exist.', 404);
    }
    const { reference, paths } = readBatch(request.body.toString());
    const key = `${id} ${reference}`;
    const former = earlier.get(key);
    if (former !== undefined && former !== paths.join('\n')) {
      throw new AwsError(
        'InvalidationBatchAlreadyExists',
        'Your request contains a caller reference that was used for a previous invalidation batch for the same distribution.',
      );
    }
    // A batch that is repeated runs once.
    if (former === undefined) invalidate(distribution, paths);
    earlier.set(key, paths.join('\n'));
    const invalidationId = `I${createHash('sha256').update(key).digest('hex').slice(0, 13).toUpperCase()}`;
    return {
      httpStatus: 201,
      headers: { 'content-type': 'text/xml', location: `${request.path}/${invalidationId}` },
      body: xmlDocument('Invalidation', {
        Id: invalidationId,
        Status: 'InProgress',
        CreateTime: new Date(clock.now()).toISOString(),
        InvalidationBatch: {
          Paths: { Quantity: paths.length, Items: paths.map((path) => ({ Path: path })) },
          CallerReference: reference,
        },
      }),
    };
  }

  return {
    maximumBodyBytes: maximumBytes,
    handle: async (request) => create(request),
    errorReply: ({ code, message, httpStatus }) => ({
      httpStatus,
      headers: { 'content-type': 'text/xml' },
      body: xmlDocument('ErrorResponse', {
        Error: { Type: 'Sender', Code: code === accessDenied ? 'AccessDenied' : code, Message: message },
        RequestId: randomUUID(),
      }),
    }),
  };
}

/** @throws AwsError for a body that CloudFront would refuse. */
function readBatch(xml: string): { reference: string; paths: string[] } {
  if (!xml.includes(`<InvalidationBatch xmlns="${namespace}">`)) {
    throw new AwsError('MalformedInput', 'The request body is not an InvalidationBatch.');
  }
  const one = (name: string) => unescapeText(elementsNamed(xml, name)[0]?.trim() ?? '');
  const reference = one('CallerReference');
  const paths = elementsNamed(one('Items'), 'Path').map((path) => unescapeText(path));
  if (reference === '') throw new AwsError('MissingBody', 'The caller reference is missing.');
  if (paths.length === 0 || Number(one('Quantity')) !== paths.length) {
    throw new AwsError('InconsistentQuantities', 'The value of Quantity and the size of Items do not match.');
  }
  if (paths.length > maximumPaths) {
    throw new AwsError('TooManyInvalidationsInProgress', 'Too many paths are being invalidated.');
  }
  const wrong = paths.find((path) => !/^\/[^*\s]*\*?$/.test(path));
  if (wrong !== undefined) {
    throw new AwsError('InvalidArgument', `Your request contains the invalid path ${wrong}.`);
  }
  return { reference, paths };
}
