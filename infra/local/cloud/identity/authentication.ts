/** Authenticates a request: finds the identity of its access key, and verifies its signature and its time. */

import type { Clock } from '../clock.ts';
import { AwsError } from '../engines/errors.ts';
import type { Identities, Identity } from '../engines/types.ts';
import type { Caller } from './policy-decision.ts';
import { type ClaimedSignature, type IncomingRequest, isSignedWith, judgeTime } from './sigv4.ts';

export const nobody: Caller = { principal: { kind: 'anonymous' }, policies: [] };

/** S3 and the JSON services use different codes for the same refusals. */
export type ErrorDialect = 's3' | 'json';

/** The code, the message and, unless it is 403, the HTTP status. */
type Refusal = readonly [code: string, message: string, httpStatus?: number];

const invalidToken: Refusal = [
  'UnrecognizedClientException',
  'The security token included in the request is invalid.',
];
const mismatch = 'The request signature we calculated does not match the signature you provided. Check your';

const refusals = {
  unknownKey: {
    s3: ['InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.'],
    json: invalidToken,
  },
  wrongToken: {
    s3: ['InvalidToken', 'The provided token is malformed or otherwise invalid.', 400],
    json: invalidToken,
  },
  skewed: {
    s3: [
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    ],
    json: ['InvalidSignatureException', 'Signature expired or not yet current: check the clock.'],
  },
  expired: {
    s3: ['AccessDenied', 'Request has expired'],
    json: ['InvalidSignatureException', 'Signature expired.'],
  },
  wrongSignature: {
    s3: ['SignatureDoesNotMatch', `${mismatch} key and signing method.`],
    json: ['InvalidSignatureException', `${mismatch} AWS Secret Access Key and signing method.`],
  },
} satisfies Readonly<Record<string, Readonly<Record<ErrorDialect, Refusal>>>>;

/**
 * Finds the identity that a signature claims, and checks its session token and its time. The signature itself is not
 * verified yet. A header's time may be anywhere between real time and the movable clock, because only some programs
 * follow that clock, and the SDK sets its own from the Date of the last response, which may be older. A presigned URL
 * expires by the movable clock.
 *
 * @throws AwsError in the service's dialect.
 */
export function findIdentity(
  signature: ClaimedSignature,
  dialect: ErrorDialect,
  identities: Identities,
  clock: Clock,
): Identity {
  const identity = identities.find(signature.accessKeyId);
  if (!identity) throw refusal('unknownKey', dialect);
  if (identity.sessionToken !== signature.sessionToken) throw refusal('wrongToken', dialect);
  const now = clock.now();
  const verdict = judgeTime(signature, now);
  const wasCurrent =
    !signature.presigned && judgeTime(signature, Math.max(Date.now(), Math.min(signature.signedAtMs, now)));
  if (verdict !== 'valid' && wasCurrent !== 'valid') throw refusal(verdict, dialect);
  return identity;
}

/** @throws AwsError unless the whole request was signed with the identity's secret. */
export function authenticate(
  identity: Identity,
  request: IncomingRequest,
  signature: ClaimedSignature,
  payloadHash: string,
  dialect: ErrorDialect,
): Caller {
  if (!isSignedWith(identity.secretAccessKey, request, signature, payloadHash)) {
    throw refusal('wrongSignature', dialect);
  }
  return { principal: { kind: 'identity', arn: identity.principalArn }, policies: identity.policies };
}

function refusal(kind: keyof typeof refusals, dialect: ErrorDialect): AwsError {
  const [code, message, httpStatus = 403]: Refusal = refusals[kind][dialect];
  return new AwsError(code, message, httpStatus);
}
