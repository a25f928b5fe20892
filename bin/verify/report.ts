import { toTimestamp } from '../../lib/kernel/clock.ts';
import { type Platform, platformTitles } from '../../lib/platforms/contract/names.ts';
import type { PlatformApp } from '../../lib/platforms/contract/tools.ts';
import type { PlannedStep } from './plan.ts';
import type { Verification } from './run.ts';
import type { VerifiedSubject } from './verification.ts';

export interface ReportFacts {
  readonly platform: Platform;
  readonly subject: VerifiedSubject;
  readonly stage: string;
  readonly apiVersion: string;
  /** Herald's id of the account. */
  readonly accountId: string;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly plan: readonly PlannedStep[];
}

/** Returns the default name of a report: `verify-youtube-2026-11-22.md`. @param nowMs epoch milliseconds */
export function reportName(platform: Platform, nowMs: number): string {
  return `verify-${platform}-${toTimestamp(nowMs).slice(0, 10)}.md`;
}

/**
 * Returns the report of a run, as Markdown. Begins with the things that a person must delete. Pure.
 *
 * @param redact removes secrets; applied to the whole text
 */
export function reportOf(
  facts: ReportFacts,
  { results, left, removed, failures, wasStopped }: Verification,
  redact: (text: string) => string,
): string {
  const { platform, subject, stage, apiVersion, accountId, startedMs, plan } = facts;
  const { username, platformAccountId } = subject.account;
  const count = (verdict: string) => results.filter((result) => result.verdict === verdict).length;
  const lines = [
    `# ${platformTitles[platform]}, checked with a real account`,
    '',
    `- ${toTimestamp(startedMs)}, stage ${stage}, API version ${apiVersion}${subject.isSandbox ? ', sandbox' : ''}`,
    `- Account ${accountId}: ${cell(username ?? '')} (${platformAccountId})`,
    `- ${count('confirmed')} confirmed, ${count('refuted')} refuted, ${count('not checked')} not checked`,
    ...(wasStopped ? ['- The run was stopped before its end.'] : []),
    '',
    ...section(
      'Still to be deleted by hand',
      left.map(({ title, where, reason }) => `- ${cell(title)}, at ${cell(where)}. ${cell(reason)}`),
    ),
    ...section(
      'Steps that failed',
      failures.map(({ step, message }) => `- ${step} ${cell(message)}`),
    ),
    '## Claims',
    '',
    '| verdict | claim | expected | seen |',
    '| --- | --- | --- | --- |',
    ...results.map(
      ({ claim, verdict, seen }) =>
        `| ${verdict === 'refuted' ? '**refuted**' : verdict} | \`${claim.id}\`: ${cell(claim.text)} | ${cell(claim.expected)} | ${cell(seen)} |`,
    ),
    '',
    '## What was done',
    '',
    ...plan.map(
      ({ step, skipped }) => `- ${step.title}${skipped === undefined ? '' : ` Skipped: ${skipped}.`}`,
    ),
    ...removed.map(({ title }) => `- Removed ${cell(title)}.`),
    '',
    '## Sources of the claims',
    '',
    ...results.map(({ claim }) => `- \`${claim.id}\`: ${cell(claim.source)}`),
    '',
  ];
  return redact(lines.join('\n'));
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** Escapes a text, so that it cannot end a cell or a line: platforms quote anything. */
const cell = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').trim();

/** The parameters with values that authorize something. Upload URLs have some of them in their query. */
const secretParameters =
  /\b(access_token|refresh_token|input_token|appsecret_proof|client_secret|code|upload_id|upload_token|token|signature|x-amz-[a-z-]+)(=|%3D|"?\s*:\s*"?)[^&\s"'|]+/gi;
const bearer = /\b(bearer|oauth)\s+[\w.~+/=|-]{12,}/gi;

/** Returns the secrets of an app. */
export function appSecrets({
  clientSecret,
  organization,
  metaAppSecret,
  webhookVerifyToken,
}: PlatformApp): string[] {
  return [clientSecret, organization?.clientSecret, metaAppSecret, webhookVerifyToken].filter(
    (secret) => secret !== undefined,
  );
}

/**
 * Makes a function that removes secrets from texts for people: the known ones in every usual encoding, and any text in
 * a place where a secret usually is.
 *
 * @param secrets tokens and secrets of this run
 */
export function redacting(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ])
    .sort((left, right) => right.length - left.length);
  return (text) =>
    known
      .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text)
      .replaceAll(secretParameters, '$1$2[secret]')
      .replaceAll(bearer, '$1 [secret]');
}
