import * as z from 'zod';
import { toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { type OutcomeCode, outcomeCategories, outcomeCodes } from './outcome-codes.ts';

const codes = Object.keys(outcomeCodes) as [OutcomeCode, ...OutcomeCode[]];

const codeText = `One of ${codes.map((code) => `\`${code}\``).join(', ')}. New codes may be added`;

/** The part of a target's problem that programs read, as stored. */
export const StoredErrorDetail = z.object({
  // During a deployment, a newer release may have stored a code that this one does not know.
  code: z.enum(codes).catch('unknown'),
  /** The platform's message, shortened. */
  platformMessage: z.string().optional(),
  /** The time of the next try, as a timestamp. */
  retryAt: z.string().optional(),
});
export type StoredErrorDetail = z.infer<typeof StoredErrorDetail>;

export const ErrorCategory = z.enum(outcomeCategories).meta({
  id: 'ErrorCategory',
  description:
    'Required action. `retryable`: none, or a person may ask for another try. `reconnect`: connect the account again. `content`: change the post. `platform`: somebody acts at the platform. `unknown`: a person checks what has happened',
});

/** The detail in the API's form. */
export const ErrorDetail = z
  .object({
    code: z.string().meta({ description: codeText }),
    category: ErrorCategory,
    platformMessage: z.string().nullable().meta({
      description:
        "The platform's own words, shortened; null if the reason is not a response of the platform",
    }),
    retryAt: z.iso.datetime().nullable().meta({
      description:
        'Time of the next try; null if there is none, or if it is not known (a pause). In lists it may be out of date by one try',
    }),
  })
  .meta({ id: 'ErrorDetail' });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** The problem of a target that waits, has failed or is not complete. */
export interface Problem {
  readonly code: OutcomeCode;
  /** The text for people. */
  readonly text: string;
  readonly platformMessage?: string | undefined;
  /** The time of the next try, in epoch milliseconds. */
  readonly retryMs?: number;
}

/** The fields of a target's problem. They are written and removed together. */
export interface ProblemFields {
  readonly error: string | null;
  readonly errorDetail: StoredErrorDetail | null;
}

/** Builds the two fields, in this place only. @param problem `null` removes both */
export function problemFields(problem: Problem | null): ProblemFields {
  if (problem === null) return { error: null, errorDetail: null };
  const { code, text, platformMessage, retryMs } = problem;
  const errorDetail = {
    code,
    ...(platformMessage !== undefined && {
      platformMessage: platformMessage.slice(0, maxQuoteCharacters).toWellFormed(),
    }),
    ...(retryMs !== undefined && { retryAt: toTimestamp(retryMs) }),
  };
  return { error: text, errorDetail };
}

/**
 * The maximum length of the platform's message in a detail: a post holds the details of up to 50 targets in one item. `error` has
 * more of it.
 */
const maxQuoteCharacters = 200;

/** Returns the detail in the API's form. An item of an earlier release may have an error without a detail. */
export function toErrorDetail({
  error,
  errorDetail,
}: {
  readonly error?: string | undefined;
  readonly errorDetail?: StoredErrorDetail | undefined;
}): ErrorDetail | null {
  if (error === undefined) return null;
  const { code = 'unknown', platformMessage = null, retryAt = null } = errorDetail ?? {};
  return { code, category: outcomeCodes[code].category, platformMessage, retryAt };
}

/** A failure of a step for Herald's own reason: the platform was not asked. */
export class OwnFailure extends PlatformError {
  readonly code: OutcomeCode;

  constructor(
    remedy: 'rejected' | 'retry',
    code: OutcomeCode,
    message: string,
    details?: ConstructorParameters<typeof PlatformError>[2],
  ) {
    super(remedy, message, details);
    this.code = code;
  }
}

/**
 * Returns the code of a failed step, from the error alone. Pure.
 *
 * @param error any error but a `PlatformError` is ours
 */
export function codeOf(error: unknown): OutcomeCode {
  if (error instanceof OwnFailure) return error.code;
  if (!(error instanceof PlatformError)) return 'internal';
  const { remedy, concerns, isDailyLimit } = error;
  switch (remedy) {
    case 'retry':
    case 'unknown':
      return isDailyLimit ? 'quota_exhausted' : 'platform_unavailable';
    case 'rejected':
      return concerns === 'app' ? 'app_refused' : 'platform_rejected';
    case 'reauthorise':
    case 'restricted':
      if (concerns === 'app') return 'app_refused';
      if (concerns === 'post') return 'platform_rejected';
      if (remedy === 'restricted') return 'account_restricted';
      return concerns === 'feature' ? 'permission_missing' : 'account_expired';
  }
}

/** Returns the platform's own message; `undefined` if the error is not about a response of the platform. */
export function quoteOf(error: unknown): string | undefined {
  if (!(error instanceof PlatformError) || error instanceof OwnFailure) return undefined;
  const isResponse = error.status !== undefined || error.platformCode !== undefined;
  return isResponse ? error.message : undefined;
}
