/**
 * The error bodies of LinkedIn's versioned API ("Error handling"): `{ status, code, serviceErrorCode, message }`, or,
 * for errors in a request's content, `{ errorDetailType, message, errorDetails: { inputErrors }, status }`.
 */
import { json, Refusal } from '../kit/answers.ts';
import type { Answer } from '../kit/types.ts';

interface Wording {
  readonly status: number;
  readonly serviceErrorCode?: number;
  readonly message: string;
  /** Use the format with `errorDetails`. */
  readonly isInputError?: true;
}

const wordings = {
  EMPTY_ACCESS_TOKEN: { status: 401, serviceErrorCode: 65604, message: 'Empty oauth2 access token' },
  INVALID_ACCESS_TOKEN: { status: 401, serviceErrorCode: 65600, message: 'Invalid access token' },
  REVOKED_ACCESS_TOKEN: {
    status: 401,
    serviceErrorCode: 65601,
    message: 'The token used in the request has been revoked by the user',
  },
  EXPIRED_ACCESS_TOKEN: {
    status: 401,
    serviceErrorCode: 65602,
    message: 'The token used in the request has expired',
  },
  ACCESS_DENIED: {
    status: 403,
    serviceErrorCode: 100,
    message: 'Not enough permissions to access this resource',
  },
  VERSION_MISSING: {
    status: 400,
    message: 'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
  },
  NONEXISTENT_VERSION: { status: 426, message: 'Requested version is not active' },
  ILLEGAL_ARGUMENT: { status: 400, serviceErrorCode: 100, message: 'Syntax exception in path variables' },
  RESOURCE_NOT_FOUND: { status: 404, serviceErrorCode: 0, message: 'No virtual resource found' },
  NOT_FOUND: { status: 404, message: 'Could not find entity' },
  TOO_MANY_REQUESTS: {
    status: 429,
    serviceErrorCode: 101,
    message: 'Resource level throttle MEMBER DAY limit for calls to this resource is reached.',
  },
  CONFLICT: { status: 409, message: 'Conflict with another request' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Request Entity Too Large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  INTERNAL_SERVER_ERROR: { status: 500, serviceErrorCode: 0, message: 'Internal Server Error' },
  EXPIRED_UPLOAD_URL: { status: 400, message: 'The upload url has expired', isInputError: true },
  MISSING_FIELD: { status: 400, message: 'A required field is missing', isInputError: true },
  INVALID_VALUE_FOR_FIELD: { status: 400, message: 'Invalid value for field', isInputError: true },
  INVALID_VALUE_BLANK_FIELD: { status: 400, message: 'The field must not be blank', isInputError: true },
  INVALID_URN_TYPE: { status: 400, message: 'The urn has the wrong type', isInputError: true },
  INVALID_URN_ID: {
    status: 400,
    message: 'The urn does not name an entity of the author',
    isInputError: true,
  },
  FIELD_LENGTH_TOO_LONG: { status: 400, message: 'The field exceeds its maximum length', isInputError: true },
  MEDIA_ASSET_WAITING_UPLOAD: {
    status: 400,
    message: 'The media asset is waiting for its upload',
    isInputError: true,
  },
  MEDIA_ASSET_PROCESSING_FAILED: {
    status: 400,
    message: 'The media asset could not be processed',
    isInputError: true,
  },
  DUPLICATE_POST: { status: 422, message: 'Content is a duplicate', isInputError: true },
} as const satisfies Readonly<Record<string, Wording>>;

export type ErrorCode = keyof typeof wordings;

/** Returns LinkedIn's answer for one of its codes. @param message replaces the default message */
export function errorAnswer(code: ErrorCode, message?: string): Answer {
  const wording: Wording = wordings[code];
  const { status, serviceErrorCode, isInputError } = wording;
  const text = message ?? wording.message;
  if (!isInputError) {
    return json(
      { status, ...(serviceErrorCode !== undefined && { serviceErrorCode }), code, message: text },
      status,
    );
  }
  const inputErrors = [{ code, description: text, input: { inputPath: { fieldPath: '' } } }];
  return json(
    {
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      message: text,
      errorDetails: { inputErrors },
      status,
    },
    status,
  );
}

/** @throws Refusal with `errorAnswer` */
export function refuse(code: ErrorCode, message?: string): never {
  throw new Refusal(errorAnswer(code, message));
}

/** Returns the answer for a planned fault. @param code one of the codes above, or an HTTP status */
export function plannedError(code: string): Answer {
  if (isErrorCode(code)) return errorAnswer(code);
  const status = Number(code);
  if (status === 403) {
    return json({ status, serviceErrorCode: 100, message: 'The requested resource is forbidden' }, status);
  }
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return json(
    { status: isStatus ? status : 400, code, message: `LinkedIn failed with ${code}` },
    isStatus ? status : 400,
  );
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(wordings, code);
}
