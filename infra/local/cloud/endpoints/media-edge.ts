/**
 * Stands in for CloudFront in front of the media bucket. It serves GET and HEAD of single objects with the
 * distribution's own rights (origin access control), and caches nothing.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { S3Service } from '../engines/s3/service.ts';
import type { Caller } from '../identity/policy-decision.ts';
import type { DistributionResource } from '../model.ts';
import { type Listener, listen } from './listener.ts';

export interface MediaEdge extends Listener {
  attach(s3: S3Service, distribution: DistributionResource): void;
}

const cloudFront: Caller = {
  principal: { kind: 'service', service: 'cloudfront.amazonaws.com' },
  policies: [],
};

/** The request headers that are forwarded to the bucket. */
const forwardedHeaders = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
];

/** Listens on loopback; answers 404 until a distribution is attached. @throws Error if the port is in use. */
export async function startMediaEdge(port: number, log: (line: string) => void): Promise<MediaEdge> {
  let origin: { s3: S3Service; distribution: DistributionResource } | undefined;

  const listener = await listen(port, (incoming, response) => {
    const { method = 'GET' } = incoming;
    if (!origin) {
      response.writeHead(404).end();
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('This distribution only serves GET and HEAD.\n');
      return;
    }
    const { s3, distribution } = origin;
    const bucketName = distribution.originBucketArn.split(':').at(-1);
    const path = (incoming.url ?? '/').split('?', 1)[0];
    const headers: IncomingHttpHeaders = Object.fromEntries(
      forwardedHeaders.flatMap((name) =>
        incoming.headers[name] === undefined ? [] : [[name, incoming.headers[name]]],
      ),
    );
    response.setHeader('x-content-type-options', 'nosniff');
    s3.handle(
      {
        method,
        path: `/${bucketName}${distribution.originPath}${path}`,
        query: new URLSearchParams(),
        headers,
        caller: cloudFront,
        sourceArn: distribution.arn,
        body: incoming,
      },
      response,
    ).catch((error: unknown) => {
      if (!response.destroyed)
        log(`Serving ${incoming.url} failed: ${error instanceof Error ? error.message : error}`);
      response.destroy();
    });
  });

  return {
    ...listener,
    attach(s3, distribution) {
      origin = { s3, distribution };
    },
  };
}
