import { PlatformError } from '../contract/errors.ts';
import { MessageRefused, type RefusedFor } from '../contract/messaging.ts';
import { dead, type ErrorRule, platformError, rejected, unknown } from '../shared/error-table.ts';
import { encodingAdvice } from '../shared/media-rules.ts';
import type { ContainerStatus } from '../shared/meta/containers.ts';
import { commonCodes, type GraphPlatform, isPermissionCode, rateLimited } from '../shared/meta/graph.ts';

const permissionMissing: ErrorRule = {
  remedy: 'restricted',
  concerns: 'feature',
  advice: 'Connect the account again and leave all permissions selected.',
};

/**
 * Error subcodes of the Instagram Platform and the Graph API ("Error Codes", "Handling Errors"). They take precedence
 * over codes: 4/2207051 is not a rate limit, and 1/2207057 is not temporary.
 */
const bySubcode: Readonly<Record<string, ErrorRule>> = {
  2534041: dead,
  // "The app user's Instagram Professional account is inactive, checkpointed, or restricted."
  2207050: {
    remedy: 'restricted',
    concerns: 'account',
    advice: 'Open Instagram, log in as this account and follow its instructions.',
  },
  // Blocked as spam. Instagram has sent this although the post went live, so the worker looks it up first.
  2207051: { remedy: 'unknown', ifAbsent: 'rejected' },
  // The limit is 100 posts in any 24 hours, so a place may become free at any time
  // (https://developers.facebook.com/docs/instagram-platform/content-publishing).
  2207042: { ...rateLimited, concerns: 'feature', isDailyLimit: true },
  2207027: { remedy: 'retry', retryAfterSeconds: 5 },
  // The container is lost: the call that names it was refused.
  2207008: { remedy: 'retry' },
  2207006: { remedy: 'retry' },
  2207052: {
    remedy: 'retry',
    retryAfterSeconds: 30,
    advice: 'Instagram must be able to download the file: check that its URL is public.',
  },
  2207003: unknown,
  2207001: unknown,
  2207032: unknown,
  2207020: { remedy: 'retry', retryAfterSeconds: 10 },
  2207053: { remedy: 'retry', retryAfterSeconds: 10 },
  2207082: { remedy: 'retry', retryAfterSeconds: 10 },
  2207077: { remedy: 'retry', retryAfterSeconds: 10 },
  2207085: { remedy: 'retry', retryAfterSeconds: 10 },
  2207004: rejected,
  2207005: rejected,
  2207009: rejected,
  2207010: rejected,
  // The format of the video is not supported.
  2207026: {
    ...rejected,
    advice: `If the video has an edit list, or its index (moov) after its media, ${encodingAdvice}`,
  },
  2207057: rejected,
  2207023: rejected,
  2207028: rejected,
  2207035: rejected,
  2207036: rejected,
  2207037: rejected,
  2207040: rejected,
  2207018: rejected,
  2207081: rejected,
};

const codes: Readonly<Record<number, ErrorRule>> = {
  ...commonCodes('Instagram', permissionMissing),
  110: rejected,
  341: rateLimited,
  36000: rejected,
  36001: rejected,
  36003: rejected,
  36004: rejected,
  80001: rateLimited,
  80002: rateLimited,
  80006: rateLimited,
};

export const instagram: GraphPlatform = {
  name: 'Instagram',
  bySubcode,
  byCode: (code) => codes[code] ?? (isPermissionCode(code) ? permissionMissing : undefined),
};

const fixedByNewContainer = new Set([
  '2207001',
  '2207003',
  '2207006',
  '2207008',
  '2207020',
  '2207032',
  '2207052',
  '2207053',
  '2207077',
  '2207082',
  '2207085',
]);

/** Returns true if the container is lost, or its download or processing failed, in a way that a new container may fix. */
export function isFixedByNewContainer({ platformCode }: PlatformError): boolean {
  return fixedByNewContainer.has(platformCode?.split('/').at(-1) ?? '');
}

const downloadFailures = new Set(['2207003', '2207052', '2207077']);

/** Returns true if Instagram could not download the file. */
export function isDownloadFailure({ platformCode }: PlatformError): boolean {
  return downloadFailures.has(platformCode?.split('/').at(-1) ?? '');
}

/** Returns true if the error of a read means that the object does not exist, or is so new that it cannot be read yet. */
export function isMissing(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    ['100/33', '24/2207008', '24/2207006'].includes(error.platformCode ?? '')
  );
}

/** Returns the error for a container that failed or has expired. The status text of a failed one contains the subcode. */
export function containerError({ state, message }: ContainerStatus): PlatformError {
  const subcode = /\b(22\d{5})\b/.exec(message)?.[1] ?? (state === 'EXPIRED' ? '2207008' : undefined);
  const failure = { platformCode: subcode ?? 'ERROR', message };
  return platformError(instagram.name, failure, (subcode && bySubcode[subcode]) || rejected);
}

/** The error table for replies and messages: Instagram's common errors and "Messaging Error Codes". */
export const instagramMessaging: GraphPlatform = {
  name: instagram.name,
  bySubcode: {
    ...instagram.bySubcode,
    2534022: rejected,
    2018278: rejected,
    2018108: rejected,
    2534025: rejected,
    2534014: rejected,
    2534001: rejected,
    2534013: rejected,
    2534029: rejected,
    1545041: rejected,
    2018300: { remedy: 'rejected', advice: 'Another app controls this conversation.' },
    2018028: { remedy: 'rejected', advice: 'The app has no Advanced Access for this person.' },
    // Temporary errors, after which the message may have been delivered nevertheless.
    1893063: unknown,
    1545133: unknown,
  },
  byCode: (code) => (code === 551 || code === 230 ? rejected : instagram.byCode(code)),
};

const refusedFor: Readonly<Record<string, RefusedFor>> = {
  '10/2534022': 'window',
  '10/2018278': 'window',
  '10/2018108': 'window',
  '100/2534025': 'comment',
};

/** Turns refusals that automations handle into `MessageRefused`. @param hasButtons true if the call sent buttons */
export function messageError(error: unknown, hasButtons: boolean): unknown {
  if (!(error instanceof PlatformError) || error.remedy !== 'rejected') return error;
  const { platformCode = '' } = error;
  const known = refusedFor[platformCode];
  if (known !== undefined) return new MessageRefused(known, error);
  // Instagram refuses a button template with code 100 and no subcode that has another meaning.
  const [code, subcode = ''] = platformCode.split('/');
  const hasOtherMeaning = subcode in instagramMessaging.bySubcode || subcode === missingSubcode;
  return hasButtons && code === '100' && !hasOtherMeaning ? new MessageRefused('buttons', error) : error;
}

/** The subcode of "Object does not exist". */
const missingSubcode = '33';

/** Turns the error for a missing comment into `MessageRefused`; returns other errors unchanged. */
export function commentError(error: unknown): unknown {
  return isMissingObject(error) ? new MessageRefused('comment', error) : error;
}

export function isMissingObject(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === `100/${missingSubcode}`;
}
