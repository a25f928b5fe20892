import { PlatformError } from '../contract/errors.ts';
import { type ErrorRule, platformError, rejected, unknown } from '../shared/error-table.ts';
import type { ContainerStatus } from '../shared/meta/containers.ts';
import { commonCodes, type GraphPlatform, isPermissionCode, rateLimited } from '../shared/meta/graph.ts';

const permissionMissing: ErrorRule = {
  remedy: 'restricted',
  concerns: 'feature',
  advice:
    'Connect the account again and leave all permissions selected; testers must first accept the invitation in their Threads settings.',
};
const downloadFailed: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'Threads must be able to download the file: check that its URL is public.',
};

/** Error subcodes of the Threads API ("Troubleshooting") and the Graph API. */
const bySubcode: Readonly<Record<string, ErrorRule>> = {
  // The container is lost, or the post to reply to is not visible yet: the call that names it was refused.
  4279009: { remedy: 'retry' },
  4279004: { remedy: 'retry', retryAfterSeconds: 10 },
  // The account is restricted.
  4279013: {
    remedy: 'restricted',
    concerns: 'account',
    advice: 'Open Threads, log in as this account and follow its instructions.',
  },
  2207027: { remedy: 'retry', retryAfterSeconds: 5 },
  // The limit is 250 posts in any 24 hours (https://developers.facebook.com/docs/threads/overview).
  2207042: { ...rateLimited, concerns: 'feature', isDailyLimit: true },
  2207051: { remedy: 'unknown', ifAbsent: 'rejected' },
  2207052: downloadFailed,
  2207001: unknown,
  2207003: unknown,
  2207020: { remedy: 'retry', retryAfterSeconds: 10 },
  2207053: { remedy: 'retry', retryAfterSeconds: 10 },
  2207004: rejected,
  2207005: rejected,
  2207009: rejected,
  2207026: rejected,
};

const codes: Readonly<Record<number, ErrorRule>> = {
  ...commonCodes('Threads', permissionMissing),
  // The same as 4279009, unless the token is invalid: see `mayBeInvalidToken`.
  24: { remedy: 'retry' },
  36000: rejected,
  36001: rejected,
  36003: rejected,
};

export const threads: GraphPlatform = {
  name: 'Threads',
  bySubcode,
  byCode: (code) => {
    if (code >= 80_000 && code <= 80_014) return rateLimited;
    return codes[code] ?? (isPermissionCode(code) ? permissionMissing : undefined);
  },
};

const temporary: ErrorRule = { remedy: 'retry', retryAfterSeconds: 10 };

/** The meanings of a container's `error_message` ("Troubleshooting"). Meta misspells one of them. */
const containerRules: Readonly<Record<string, ErrorRule>> = {
  FAILED_DOWNLOADING_VIDEO: downloadFailed,
  FAILED_PROCESSING_AUDIO: temporary,
  FAILED_PROCESSING_VIDEO: temporary,
  UNKNOWN: { ...temporary, advice: 'Threads gives no reason; encode the file in another way and try again.' },
  INVALID_ASPEC_RATIO: {
    ...rejected,
    advice: 'The ratio must be from 1:10 to 10:1, and a video at most 1920 pixels wide.',
  },
  INVALID_BIT_RATE: { ...rejected, advice: 'A video must have a bit rate of at most 25 Mbit/s.' },
  INVALID_DURATION: { ...rejected, advice: 'A video must last at most 5 minutes.' },
  INVALID_FRAME_RATE: { ...rejected, advice: 'A video must have 23 to 60 frames per second.' },
  INVALID_AUDIO_CHANNELS: { ...rejected, advice: 'The audio must be mono or stereo.' },
  INVALID_AUDIO_CHANNEL_LAYOUT: { ...rejected, advice: 'The audio must be mono or stereo.' },
};

/** Returns the error for a container that failed or has expired. */
export function containerError({ state, message }: ContainerStatus): PlatformError {
  const platformCode = state === 'EXPIRED' ? 'EXPIRED' : message || 'UNKNOWN';
  const rule = state === 'EXPIRED' ? temporary : (containerRules[platformCode] ?? rejected);
  const words = state === 'EXPIRED' ? 'the container has expired' : 'Threads could not use the media';
  return platformError(threads.name, { platformCode, message: words }, rule);
}

const fixedByNewContainer = new Set([
  '24',
  '2207001',
  '2207003',
  '2207020',
  '2207052',
  '2207053',
  '4279004',
  '4279009',
  'EXPIRED',
  'FAILED_DOWNLOADING_VIDEO',
  'FAILED_PROCESSING_AUDIO',
  'FAILED_PROCESSING_VIDEO',
  'UNKNOWN',
]);

/** Returns true if the container is lost, or its download or processing failed, in a way that a new container may fix. */
export function isFixedByNewContainer({ platformCode }: PlatformError): boolean {
  return fixedByNewContainer.has(platformCode?.split('/').at(-1) ?? '');
}

const downloadFailures = new Set(['2207003', '2207052', 'FAILED_DOWNLOADING_VIDEO']);

/** Returns true if Threads could not download the file. */
export function isDownloadFailure({ platformCode }: PlatformError): boolean {
  return downloadFailures.has(platformCode?.split('/').at(-1) ?? '');
}

/** Returns true if the error of a read means that the object does not exist, or is so new that it cannot be read yet. */
export function isMissing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && ['24/4279009', '24', '100/33'].includes(error.platformCode ?? '');
}

/** Returns true if Threads said "The requested resource does not exist" without a subcode, which may mean an invalid token. */
export function mayBeInvalidToken(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === '24';
}
