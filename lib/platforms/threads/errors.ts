import { PlatformError } from '../contract/errors.ts';
import { type ErrorRule, platformError, rejected, unknown } from '../shared/error-table.ts';
import type { ContainerStatus } from '../shared/meta/containers.ts';
import { commonCodes, type GraphPlatform, isPermissionCode, rateLimited } from '../shared/meta/graph.ts';

const permissionMissing: ErrorRule = {
  remedy: 'restricted',
  advice:
    'Connect the account again and leave all permissions selected; testers have to accept the invitation in their Threads settings first.',
};
const notFetched: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'Threads must be able to fetch the file: check that its address is public.',
};

/** Error codes of the Threads API ("Troubleshooting") and the Graph API, sorted by what is to be done. */
const bySubcode: Readonly<Record<string, ErrorRule>> = {
  // A container that is not there for the last call may have been published by an earlier one.
  4279009: unknown,
  4279004: { remedy: 'retry', retryAfterSeconds: 10 },
  4279013: { remedy: 'restricted', advice: 'Open Threads, log in as this account and follow what it asks.' },
  2207027: { remedy: 'retry', retryAfterSeconds: 5 },
  2207042: rateLimited,
  2207051: { remedy: 'unknown', ifAbsent: 'rejected' },
  2207052: notFetched,
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
  24: unknown,
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

const passing: ErrorRule = { remedy: 'retry', retryAfterSeconds: 10 };

/** What the `error_message` of a container means ("Troubleshooting"); the misspelling is Meta's own. */
const containerRules: Readonly<Record<string, ErrorRule>> = {
  FAILED_DOWNLOADING_VIDEO: notFetched,
  FAILED_PROCESSING_AUDIO: passing,
  FAILED_PROCESSING_VIDEO: passing,
  UNKNOWN: { ...passing, advice: 'Threads gives no reason; another encoding of the file may help.' },
  INVALID_ASPEC_RATIO: {
    ...rejected,
    advice: 'The ratio must be from 1:10 to 10:1, and a video at most 1920 pixels wide.',
  },
  INVALID_BIT_RATE: { ...rejected, advice: 'A video may have at most 25 Mbit/s.' },
  INVALID_DURATION: { ...rejected, advice: 'A video may last at most 5 minutes.' },
  INVALID_FRAME_RATE: { ...rejected, advice: 'A video must have 23 to 60 frames per second.' },
  INVALID_AUDIO_CHANNELS: { ...rejected, advice: 'The sound must be mono or stereo.' },
  INVALID_AUDIO_CHANNEL_LAYOUT: { ...rejected, advice: 'The sound must be mono or stereo.' },
};

/** The error behind a container that failed, or that is gone. */
export function containerError({ state, message }: ContainerStatus): PlatformError {
  const platformCode = state === 'EXPIRED' ? 'EXPIRED' : message || 'UNKNOWN';
  const rule = state === 'EXPIRED' ? passing : (containerRules[platformCode] ?? rejected);
  const words = state === 'EXPIRED' ? 'the container has expired' : 'the media could not be used';
  return platformError(threads.name, { platformCode, message: words }, rule);
}

const curedByNewContainer = new Set([
  '2207001',
  '2207003',
  '2207020',
  '2207052',
  '2207053',
  '4279004',
  'EXPIRED',
  'FAILED_DOWNLOADING_VIDEO',
  'FAILED_PROCESSING_AUDIO',
  'FAILED_PROCESSING_VIDEO',
  'UNKNOWN',
]);

/** Fetching or processing went wrong in a way that a new container may cure. */
export function isCuredByNewContainer({ platformCode }: PlatformError): boolean {
  return curedByNewContainer.has(platformCode?.split('/').at(-1) ?? '');
}

/** What a read says of an object that is not there, or was made a moment ago and is not there yet. */
export function isMissing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && ['24/4279009', '24', '100/33'].includes(error.platformCode ?? '');
}

/** "The requested resource does not exist" without a subcode: at times it is the token that does not. */
export function mayBeDeadToken(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === '24';
}
