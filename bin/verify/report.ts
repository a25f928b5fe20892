import { toTimestamp } from '../../lib/kernel/clock.ts';
import { type Platform, platformTitles } from '../../lib/platforms/contract/names.ts';
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
