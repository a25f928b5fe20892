import { PlatformError } from '../contract/errors.ts';
import { dead, type ErrorRule, rejected } from '../shared/error-table.ts';
import { commonCodes, type GraphPlatform, isPermissionCode, rateLimited } from '../shared/meta/graph.ts';

const unavailable: ErrorRule = { remedy: 'retry', retryAfterSeconds: 30 };
/** The rule for errors that an earlier call of unknown outcome may have caused. The worker looks that call up first. */
const perhapsLive: ErrorRule = { remedy: 'unknown', ifAbsent: 'rejected' };
const permissionMissing: ErrorRule = {
  remedy: 'restricted',
  concerns: 'feature',
  advice:
    'Connect the Page again, leave all permissions selected, and check that you may create content on the Page.',
};
const actAtFacebook: ErrorRule = {
  remedy: 'restricted',
  concerns: 'account',
  advice: 'Open Facebook, log in and follow its instructions.',
};

/**
 * Error codes of the Graph API ("Handling Errors") and of Pages. Facebook sends the longer numbers both as subcodes and
 * as codes.
 */
const errorRules: Readonly<Record<string, ErrorRule>> = {
  ...commonCodes('Facebook', permissionMissing),
  197: rejected,
  324: rejected,
  341: rateLimited,
  506: perhapsLive,
  6000: unavailable,
  1346003: rejected,
  1349125: rejected,
  1363019: unavailable,
  1363022: rejected,
  1363023: rejected,
  1363030: unavailable,
  1363037: unavailable,
  1363040: rejected,
  1363042: permissionMissing,
  1363047: unavailable,
  1363127: rejected,
  1363128: rejected,
  1363129: rejected,
  // Also the answer if Facebook could not download the photo. Retried for hours: the host of our files may be down.
  1366046: {
    remedy: 'retry',
    retryAfterSeconds: 30,
    advice: "Check that the image's URL is public, and that the file is complete and at most 4 MB.",
  },
  1366051: perhapsLive,
  1390008: rateLimited,
  1404006: dead,
  1404078: actAtFacebook,
  1404102: rejected,
  1404112: actAtFacebook,
  1609005: rejected,
  1609008: rejected,
  1609010: unavailable,
  2061006: rejected,
  2069019: rejected,
  4854002: actAtFacebook,
};

export const facebook: GraphPlatform = {
  name: 'Facebook',
  bySubcode: errorRules,
  byCode: (code) => {
    if (code >= 80_000 && code <= 80_014) return rateLimited;
    return errorRules[code] ?? (isPermissionCode(code) ? permissionMissing : undefined);
  },
};

const fixedByNewUpload = new Set(['6000', '1363019', '1363030', '1363037', '1363047', '1609010']);

/** Returns true if Facebook refused a text because it is identical to the Page's newest post. */
export function isDuplicateText(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.platformCode ?? '').split('/').includes('506');
}

/** Returns true if Facebook could not download a photo, or could not use the file. */
export function isPhotoRefused(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.platformCode ?? '').split('/').includes('1366046');
}

/** Returns true if Facebook failed to download or store a video in a way that a new upload may fix. */
export function isFixedByNewUpload({ platformCode = '' }: PlatformError): boolean {
  return platformCode.split('/').some((code) => fixedByNewUpload.has(code));
}

/**
 * Returns true if a last call was certainly refused because Facebook cannot use the upload. Not after a timeout, nor an
 * error with HTTP status 5xx: then the same upload may succeed.
 */
export function isUselessUpload(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError) || error.remedy !== 'retry' || (error.status ?? 0) >= 500)
    return false;
  return /(^|\/)(1363019|1363037)$/.test(error.platformCode ?? '');
}

/** Returns true if the error of a read means that the object does not exist, or is so new that it cannot be read yet. */
export function isMissing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === '100/33';
}
