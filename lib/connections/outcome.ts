import type { Account } from '../accounts/schemas.ts';
import { HeraldError } from '../kernel/errors.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { BrowserPorts } from './ports.ts';
import type { Candidate } from './schemas.ts';
import type { Unusable } from './store.ts';

/** The result of a browser's visit. Reasons are shown to the user. */
export type ConnectionOutcome =
  | {
      readonly kind: 'connected';
      readonly accounts: readonly Account[];
      readonly redirectUrl?: string | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly redirectUrl?: string | undefined }
  /** Several accounts: the user continues at this URL. */
  | { readonly kind: 'several'; readonly choiceUrl: string }
  | {
      readonly kind: 'choose';
      readonly platform: Platform;
      readonly token: string;
      readonly candidates: readonly Candidate[];
      readonly redirectUrl: string | undefined;
      /** What was wrong with the previous choice. */
      readonly problem?: string;
    };

export const platformTitles: Readonly<Record<Platform, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  threads: 'Threads',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
};

const unusableReasons: Readonly<Record<Unusable, string>> = {
  unknown: 'This link is not valid. Go back to where you came from and connect the account again.',
  'wrong platform':
    'This answer belongs to another platform, so nothing was connected. Connect the account again.',
  used: 'This link has already been used. If the account is missing, connect it again.',
  expired: 'This took longer than ten minutes, so nothing was connected. Connect the account again.',
};

export function refusedAs(
  state: Unusable,
  found: { readonly redirectUrl?: string | undefined } | undefined,
): ConnectionOutcome {
  return { kind: 'refused', reason: unusableReasons[state], redirectUrl: found?.redirectUrl };
}

/** Returns the reason to show to the user. Logs an error of our own, but does not show its details. */
export function reasonOf(error: unknown, { report }: BrowserPorts): string {
  if (error instanceof PlatformError) {
    const isTemporary = error.remedy === 'retry' || error.remedy === 'unknown';
    const sentence = error.message.replace(/\.$/, '');
    return isTemporary ? `${sentence}. Connect the account again in a moment.` : error.message;
  }
  report('an account was not connected', error);
  if (error instanceof HeraldError) return error.message;
  return 'Something went wrong on our side, so nothing was connected. Connect the account again.';
}
