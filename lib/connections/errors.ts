import * as z from 'zod';
import { HeraldError } from '../kernel/errors.ts';
import { PlatformError, UnusableLoginError } from '../platforms/contract/errors.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { quote } from '../platforms/shared/json.ts';
import type { BrowserPorts } from './ports.ts';

const meanings = {
  access_denied: 'the user declined, at the platform or on the page of this service',
  missing_permissions: 'the user did not grant every permission that publishing requires',
  no_accounts: 'the login has no account that can be published to',
  too_many_accounts: 'the login has more accounts than this service can offer at once',
  platform_refused: 'the platform refused the login for another reason',
  platform_unavailable: 'the platform did not answer, or had an error',
  not_configured: 'the operator has not set the app credentials of the platform',
  server_error: 'this service had an error',
} as const;

/** The reason that an attempt ended without a connection. The list is closed: clients may show their own text for each code. */
export const ConnectionError = z
  .enum(Object.keys(meanings) as [keyof typeof meanings, ...(keyof typeof meanings)[]])
  .meta({
    id: 'ConnectionError',
    description: Object.entries(meanings)
      .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
      .join('; '),
  });
export type ConnectionError = z.infer<typeof ConnectionError>;

const noAccounts: Readonly<Record<Platform, string>> = {
  instagram: 'Only professional accounts can be connected: switch the account to one in the Instagram app.',
  facebook: 'Ask an admin of the Page for the task “Create content”, and select the Page when Facebook asks.',
  threads: 'Create a Threads profile first.',
  youtube: 'This Google account has no YouTube channel: create one first.',
  pinterest: 'Create a Pinterest account first.',
  tiktok: 'Create a TikTok account first.',
  linkedin: 'Ask an admin of the organization’s LinkedIn page for a role that may post.',
};

/** Returns the text of a page for an error. It contains nothing that a platform or the URL has sent. */
export function describeError(error: ConnectionError, platform: Platform): string {
  const title = platformTitles[platform];
  const texts: Readonly<Record<ConnectionError, string>> = {
    access_denied: 'You did not give permission.',
    missing_permissions: `${title} did not grant every permission. Connect again and leave all permissions selected.`,
    no_accounts: `This ${title} login has no account that can be published to. ${noAccounts[platform]} Then connect again.`,
    too_many_accounts: `This ${title} login has too many accounts to choose from. Connect again and select fewer of them when ${title} asks.`,
    platform_refused: `${title} refused the login. Connect again.`,
    platform_unavailable: `${title} did not answer. Connect again in a moment.`,
    not_configured: `This service cannot connect ${title} accounts yet. Tell the people who run it.`,
    server_error: 'Something went wrong on our side. Connect again.',
  };
  return texts[error];
}

/** Returns the text for a platform that failed when the chosen accounts were stored; the user can choose again. */
export function describeFailedChoice(error: ConnectionError, platform: Platform): string {
  const title = platformTitles[platform];
  if (error === 'platform_unavailable') return `Nothing was connected: ${title} did not answer. Try again.`;
  // Our write may have succeeded unnoticed. Another try then shows so.
  if (error === 'server_error') return 'Something went wrong on our side. Try again.';
  return `Nothing was connected: ${title} refused an account. Try again, or choose other accounts.`;
}

/**
 * Returns the code for an error and logs the details that the code leaves out.
 *
 * @param secrets texts of this request that must not be logged if the platform quotes them
 */
export function errorCodeOf(
  error: unknown,
  { warn, report }: Pick<BrowserPorts, 'warn' | 'report'>,
  platform: Platform,
  secrets: readonly string[] = [],
): ConnectionError {
  if (error instanceof PlatformError) {
    const { message, remedy, status, platformCode } = error;
    warn('a platform refused a login', { platform, status, platformCode, reason: without(secrets, message) });
    if (error instanceof UnusableLoginError) return error.problem;
    return remedy === 'retry' || remedy === 'unknown' ? 'platform_unavailable' : 'platform_refused';
  }
  report('an account was not connected', error);
  return error instanceof HeraldError && error.kind === 'unavailable' ? 'not_configured' : 'server_error';
}

/** Returns a platform's text, ready to be logged; `undefined` if it quotes a secret. */
export function without(secrets: readonly string[], text: string): string | undefined {
  return secrets.some((secret) => secret !== '' && text.includes(secret)) ? undefined : quote(text);
}
